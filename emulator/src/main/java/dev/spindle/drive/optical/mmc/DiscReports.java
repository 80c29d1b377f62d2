package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.MediumKind;
import java.nio.ByteBuffer;

/**
 * What the disc holds and could hold: READ CAPACITY, READ FORMAT CAPACITIES, READ DISC INFORMATION,
 * READ TRACK INFORMATION.
 */
final class DiscReports {
    static final int FORMAT_FULL = 0x00;
    static final int FORMAT_CD_RW = 0x10;
    static final int FORMAT_DVD_MINUS_RW_QUICK = 0x15;
    static final int FORMAT_DVD_PLUS_RW = 0x26;

    private static final int UNFORMATTED_MEDIUM = 1;
    private static final int FORMATTED_MEDIUM = 2;
    private static final int NO_MEDIUM = 3;
    private static final int ERASABLE = 0x10;
    private static final int SESSION_COMPLETE = 3 << 2;
    private static final int SESSION_INCOMPLETE = 1 << 2;
    private static final int DISC_EMPTY = 0;
    private static final int DISC_INCOMPLETE = 1;
    private static final int DISC_COMPLETE = 2;
    private static final int DISC_RANDOM_ACCESS = 3;
    private static final int UNRESTRICTED_USE = 0x20;
    private static final int FORMAT_DONE = 3;
    private static final int DISC_INFORMATION_BYTES = 34;
    private static final int TRACK_INFORMATION_BYTES = 36;
    private static final int DVD_TRACK_INFORMATION_BYTES = 48;
    private static final int BLANK = 0x40;
    private static final int PACKET = 0x20;
    private static final int FIXED_PACKET = 0x10;
    private static final int DATA_MODE_1 = 0x01;
    private static final int DATA_UNINTERRUPTED = 4;
    private static final int DATA_INCREMENTAL = 5;
    private static final int NEXT_WRITABLE_VALID = 0x01;
    private static final int ADDRESS_BLOCK = 0;
    private static final int ADDRESS_TRACK = 1;
    private static final int ADDRESS_SESSION = 2;

    private final DiscView disc;

    DiscReports(DiscView disc) {
        this.disc = disc;
    }

    byte[] capacity() {
        ByteBuffer data = ByteBuffer.allocate(8);
        data.putInt(Math.max(0, disc.recordedBlocks() - 1)).putInt(MediumKind.BLOCK_BYTES);
        return data.array();
    }

    byte[] formatCapacities() {
        int[] formats = disc.isPresent() && !disc.isPressed() ? formats() : new int[0];
        ByteBuffer data = ByteBuffer.allocate(12 + 8 * formats.length);
        data.putInt(8 + 8 * formats.length);
        data.putInt(disc.capacityBlocks()).putInt(current() << 24 | MediumKind.BLOCK_BYTES);
        for (int format : formats) {
            data.putInt(disc.capacityBlocks()).putInt(format << 26 | parameter(format));
        }
        return data.array();
    }

    private int current() {
        if (!disc.isPresent()) {
            return NO_MEDIUM;
        }
        return disc.isBlank() ? UNFORMATTED_MEDIUM : FORMATTED_MEDIUM;
    }

    /** The format types that such a disc can be given. */
    private int[] formats() {
        return switch (disc.kind()) {
            case CD_RW -> new int[] {FORMAT_CD_RW};
            case DVD_PLUS_RW -> new int[] {FORMAT_DVD_PLUS_RW};
            case DVD_MINUS_RW -> new int[] {FORMAT_FULL, FORMAT_DVD_MINUS_RW_QUICK};
            case DVD_RAM -> new int[] {FORMAT_FULL};
        };
    }

    /** The packet size where the type asks for one, nothing for a DVD+RW, else the block's. */
    private int parameter(int format) {
        return switch (format) {
            case FORMAT_CD_RW, FORMAT_DVD_MINUS_RW_QUICK -> disc.kind().packetBlocks();
            case FORMAT_DVD_PLUS_RW -> 0;
            default ->
                    disc.kind() == MediumKind.DVD_MINUS_RW
                            ? disc.kind().packetBlocks()
                            : MediumKind.BLOCK_BYTES;
        };
    }

    byte[] discInformation(Cdb cdb) throws CheckCondition {
        CheckCondition.requireField((cdb.u8(1) & 0x07) == 0);
        ByteBuffer data = ByteBuffer.allocate(DISC_INFORMATION_BYTES);
        data.putShort(0, (short) (DISC_INFORMATION_BYTES - 2));
        data.put(2, (byte) ((disc.isPressed() ? 0 : ERASABLE) | status()));
        data.put(3, (byte) 1);
        data.put(4, (byte) 1);
        data.put(5, (byte) 1);
        data.put(6, (byte) 1);
        boolean tellsFormat = disc.kind() == MediumKind.DVD_PLUS_RW && disc.isInPackets();
        data.put(7, (byte) (UNRESTRICTED_USE | (tellsFormat ? FORMAT_DONE : 0)));
        if (disc.isCd()) {
            // Where a next session could begin, and the last lead-out; none on a complete disc.
            data.putInt(16, -1);
            data.putInt(20, disc.isBlank() ? DiscView.msf(disc.trackBlocks()) : -1);
        }
        return data.array();
    }

    private int status() {
        return switch (disc.state()) {
            case BLANK -> DISC_EMPTY;
            case UNFORMATTED -> SESSION_INCOMPLETE | DISC_INCOMPLETE;
            case FORMATTED, WRITE_PROTECTED ->
                    SESSION_COMPLETE
                            | (disc.kind() == MediumKind.DVD_RAM
                                    ? DISC_RANDOM_ACCESS
                                    : DISC_COMPLETE);
            case FINALISED, READ_ONLY -> SESSION_COMPLETE | DISC_COMPLETE;
        };
    }

    byte[] trackInformation(Cdb cdb) throws CheckCondition {
        requireTrack(cdb.u8(1) & 0x03, cdb.u32(2));
        int bytes = disc.isCd() ? TRACK_INFORMATION_BYTES : DVD_TRACK_INFORMATION_BYTES;
        ByteBuffer data = ByteBuffer.allocate(bytes);
        int packet = disc.packetBlocks();
        data.putShort(0, (short) (bytes - 2));
        data.put(2, (byte) 1);
        data.put(3, (byte) 1);
        data.put(5, (byte) (packet > 0 ? DATA_INCREMENTAL : DATA_UNINTERRUPTED));
        int blank = disc.isBlank() ? BLANK : 0;
        data.put(6, (byte) (blank | (packet > 0 ? PACKET | FIXED_PACKET : 0) | DATA_MODE_1));
        data.put(7, (byte) (disc.isBlank() ? NEXT_WRITABLE_VALID : 0));
        data.putInt(16, disc.isBlank() ? disc.capacityBlocks() : 0);
        data.putInt(20, packet);
        data.putInt(24, disc.capacityBlocks());
        return data.array();
    }

    /** There is track 1 of session 1; nothing lies behind the disc's end. */
    private void requireTrack(int addressing, long address) throws CheckCondition {
        boolean isThere =
                switch (addressing) {
                    case ADDRESS_BLOCK -> address < disc.capacityBlocks();
                    case ADDRESS_TRACK -> address == 1 || (address == 0xff && disc.isBlank());
                    case ADDRESS_SESSION -> address == 1;
                    default -> false;
                };
        CheckCondition.require(
                isThere, addressing == ADDRESS_BLOCK ? Sense.OUT_OF_RANGE : Sense.INVALID_FIELD);
    }
}
