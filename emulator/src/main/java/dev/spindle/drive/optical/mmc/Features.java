package dev.spindle.drive.optical.mmc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.spindle.drive.optical.MediumKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * GET CONFIGURATION: the profiles and features of this drive, and which of them hold for the disc
 * in it. A drive here burns one kind of disc, and plays that kind's pressed one.
 */
final class Features {
    private static final int ALL = 0;
    private static final int CURRENT_ONLY = 1;
    private static final int ONE = 2;
    private static final int HEADER_BYTES = 8;
    private static final int ATAPI = 2;
    private static final int TRAY_WITH_LOCK_AND_EJECT = 0x29;
    private static final int ERROR_RECOVERY_PAGE = 0x01;
    private static final int STREAMING =
            0x1e; // READ BUFFER CAPACITY, SET CD SPEED, page 2A, speeds

    private final DiscView disc;
    private final MmcIdentity identity;

    Features(DiscView disc, MmcIdentity identity) {
        this.disc = disc;
        this.identity = identity;
    }

    /** A feature descriptor; its data is a multiple of four bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Feature(
            int code, int version, boolean isPersistent, boolean isCurrent, byte[] data) {
        static Feature always(int code, int version, byte... data) {
            return new Feature(code, version, true, true, data);
        }

        static Feature where(boolean isCurrent, int code, int version, byte... data) {
            return new Feature(code, version, false, isCurrent, data);
        }

        void put(ByteBuffer to) {
            int flags = version << 2 | (isPersistent ? 2 : 0) | (isCurrent ? 1 : 0);
            to.putShort((short) code).put((byte) flags).put((byte) data.length).put(data);
        }
    }

    byte[] configuration(Cdb cdb) throws CheckCondition {
        int type = cdb.u8(1) & 0x03;
        int first = cdb.u16(2);
        CheckCondition.requireField(type == ALL || type == CURRENT_ONLY || type == ONE);
        List<Feature> told =
                features().stream()
                        .filter(it -> type == ONE ? it.code == first : it.code >= first)
                        .filter(it -> type != CURRENT_ONLY || it.isCurrent)
                        .toList();
        int bytes = told.stream().mapToInt(it -> 4 + it.data.length).sum();
        ByteBuffer data = ByteBuffer.allocate(HEADER_BYTES + bytes);
        data.putInt(HEADER_BYTES - 4 + bytes);
        data.putShort(6, (short) disc.profile());
        data.position(HEADER_BYTES);
        told.forEach(feature -> feature.put(data));
        return data.array();
    }

    /** In the order of their codes. */
    private List<Feature> features() {
        List<Feature> all = new ArrayList<>();
        all.add(Feature.always(0x0000, 0, profiles()));
        all.add(
                Feature.always(
                        0x0001, 2, ByteBuffer.allocate(8).putInt(ATAPI).put((byte) 3).array()));
        all.add(Feature.always(0x0002, 1, new byte[] {2, 0, 0, 0}));
        all.add(Feature.always(0x0003, 0, new byte[] {TRAY_WITH_LOCK_AND_EJECT, 0, 0, 0}));
        boolean isReadable = disc.isPresent() && !disc.isBlank();
        all.add(Feature.where(isReadable, 0x0010, 0, randomReadable()));
        all.add(
                disc.isCd()
                        ? Feature.where(disc.isPresent(), 0x001e, 2, new byte[4])
                        : Feature.where(disc.isPresent(), 0x001f, 1, new byte[4]));
        addWriting(all);
        all.add(Feature.always(0x0100, 0));
        all.add(Feature.always(0x0105, 0));
        all.add(Feature.where(disc.isPresent(), 0x0107, 4, new byte[] {STREAMING, 0, 0, 0}));
        all.add(Feature.always(0x0108, 0, serial()));
        return all;
    }

    private void addWriting(List<Feature> all) {
        boolean isWritable = disc.isPresent() && disc.isWritable();
        boolean isFormattable = disc.isPresent() && !disc.isPressed() && !disc.isWriteProtected();
        MediumKind kind = disc.kind();
        if (kind.takesPartsOfPackets()) {
            all.add(Feature.where(isWritable, 0x0020, 1, randomWritable()));
        }
        all.add(Feature.where(isFormattable, 0x0023, 1, new byte[8]));
        switch (kind) {
            case CD_RW -> all.add(Feature.where(isWritable, 0x0026, 0));
            case DVD_RAM -> all.add(Feature.where(isWritable, 0x0024, 0, new byte[4]));
            case DVD_PLUS_RW ->
                    all.add(Feature.where(isWritable, 0x002a, 0, new byte[] {1, 0, 0, 0}));
            case DVD_MINUS_RW -> {
                all.add(Feature.where(isWritable, 0x0026, 0));
                all.add(Feature.where(isFormattable, 0x002c, 0, new byte[] {1, 0, 0, 0}));
            }
        }
    }

    /** The one for its blank discs, its writable ones, its pressed ones. */
    private byte[] profiles() {
        List<Integer> profiles = new ArrayList<>();
        if (disc.kind() == MediumKind.DVD_MINUS_RW) {
            profiles.add(0x14);
        }
        profiles.add(disc.kind().profile());
        profiles.add(disc.romProfile());
        ByteBuffer data = ByteBuffer.allocate(4 * profiles.size());
        for (int profile : profiles) {
            data.putShort((short) profile)
                    .putShort((short) (profile == disc.profile() ? 0x100 : 0));
        }
        return data.array();
    }

    private byte[] randomReadable() {
        ByteBuffer data = ByteBuffer.allocate(8).putInt(MediumKind.BLOCK_BYTES);
        return data.putShort((short) (disc.isCd() ? 1 : disc.kind().packetBlocks()))
                .put((byte) ERROR_RECOVERY_PAGE)
                .array();
    }

    private byte[] randomWritable() {
        ByteBuffer data = ByteBuffer.allocate(12).putInt(identity.capacityBlocks() - 1);
        data.putInt(MediumKind.BLOCK_BYTES).putShort((short) disc.kind().packetBlocks());
        return data.put((byte) ERROR_RECOVERY_PAGE).array();
    }

    private byte[] serial() {
        byte[] text = identity.serial().getBytes(US_ASCII);
        byte[] padded = Arrays.copyOf(text, (text.length + 3) / 4 * 4);
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        return padded;
    }
}
