package dev.spindle.drive.optical.mmc;

import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.OpticalDrive;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * MODE SENSE(10) and MODE SELECT(10): pages 01 (error recovery), 05 (write parameters), 08
 * (caching), 1A (power condition), 1D (time-out and protect), 2A (capabilities). Page 05 can be
 * changed, but for the write type: the drive writes in packets and no other way.
 */
final class ModePages {
    private static final int HEADER_BYTES = 8;
    private static final int ERROR_RECOVERY = 0x01;
    private static final int WRITE_PARAMETERS = 0x05;
    private static final int CACHING = 0x08;
    private static final int POWER_CONDITION = 0x1a;
    private static final int TIMEOUT = 0x1d;
    private static final int CAPABILITIES = 0x2a;
    private static final int ALL = 0x3f;
    private static final int[] PAGES = {
        ERROR_RECOVERY, WRITE_PARAMETERS, CACHING, POWER_CONDITION, TIMEOUT, CAPABILITIES
    };

    private static final int CURRENT = 0;
    private static final int CHANGEABLE = 1;
    private static final int DEFAULT = 2;
    private static final int SAVED = 3;

    private static final int PAGE_FORMAT = 0x10;
    private static final int SAVE_PAGES = 0x01;
    private static final int WRITE_PROTECTED = 0x80;
    private static final int WRITE_PARAMETER_BYTES = 52;
    private static final int BUFFER_UNDERRUN_FREE = 0x40;
    private static final int LINK_SIZE_VALID = 0x20;
    private static final int FIXED_PACKET = 0x20;
    private static final int DATA_IN_PACKETS = 5;
    private static final int MODE_1 = 8;
    private static final int MODE_2_FORM_1 = 10;
    private static final int AUDIO_PAUSE_BLOCKS = 150;

    private final OpticalDrive burner;
    private final DiscView disc;
    private final Speeds speeds;
    private final Tray tray;
    private byte[] writeParameters;

    ModePages(OpticalDrive burner, DiscView disc, Speeds speeds, Tray tray) {
        this.burner = burner;
        this.disc = disc;
        this.speeds = speeds;
        this.tray = tray;
        writeParameters = defaultWriteParameters();
    }

    byte[] sense(Cdb cdb) throws CheckCondition {
        int control = cdb.u8(2) >> 6;
        int page = cdb.u8(2) & 0x3f;
        CheckCondition.require(control != SAVED, Sense.SAVING_NOT_SUPPORTED);
        CheckCondition.requireField(cdb.u8(3) == 0 || (page == ALL && cdb.u8(3) == 0xff));
        byte[][] told =
                Arrays.stream(PAGES)
                        .filter(it -> page == ALL || it == page)
                        .mapToObj(it -> page(it, control))
                        .toArray(byte[][]::new);
        CheckCondition.requireField(told.length > 0);
        int bytes = Arrays.stream(told).mapToInt(it -> it.length).sum();
        ByteBuffer data = ByteBuffer.allocate(HEADER_BYTES + bytes);
        data.putShort(0, (short) (HEADER_BYTES - 2 + bytes));
        data.put(3, (byte) (disc.isPresent() && disc.isWriteProtected() ? WRITE_PROTECTED : 0));
        data.position(HEADER_BYTES);
        for (byte[] each : told) {
            data.put(each);
        }
        return data.array();
    }

    private byte[] page(int page, int control) {
        byte[] values =
                switch (page) {
                    case ERROR_RECOVERY -> of(page, 12);
                    case WRITE_PARAMETERS ->
                            control == DEFAULT ? defaultWriteParameters() : writeParameters.clone();
                    case CACHING -> caching();
                    case POWER_CONDITION -> of(page, 12);
                    case TIMEOUT -> of(page, 12);
                    case CAPABILITIES -> capabilities();
                    default -> throw new IllegalArgumentException("mode page " + page);
                };
        return control == CHANGEABLE ? changeable(page, values.length) : values;
    }

    private static byte[] of(int page, int bytes) {
        byte[] values = new byte[bytes];
        values[0] = (byte) page;
        values[1] = (byte) (bytes - 2);
        return values;
    }

    private static byte[] caching() {
        byte[] values = of(CACHING, 12);
        values[2] = 0x04; // write cache
        return values;
    }

    private byte[] defaultWriteParameters() {
        ByteBuffer values = ByteBuffer.wrap(of(WRITE_PARAMETERS, WRITE_PARAMETER_BYTES));
        values.put(2, (byte) BUFFER_UNDERRUN_FREE);
        values.put(3, (byte) (FIXED_PACKET | DATA_IN_PACKETS));
        values.put(4, (byte) MODE_1);
        values.putInt(10, burner.profile().medium().packetBlocks());
        values.putShort(14, (short) AUDIO_PAUSE_BLOCKS);
        return values.array();
    }

    /** Ones where a bit can be changed. */
    private static byte[] changeable(int page, int bytes) {
        byte[] mask = of(page, bytes);
        if (page == WRITE_PARAMETERS) {
            Arrays.fill(mask, 3, bytes, (byte) 0xff);
            mask[2] = (byte) (BUFFER_UNDERRUN_FREE | LINK_SIZE_VALID);
            mask[4] = 0x0f;
            mask[6] = 0;
            mask[9] = 0;
        }
        return mask;
    }

    private byte[] capabilities() {
        List<Integer> writing = speeds.writeKbPerSecond();
        int bytes = 32 + 4 * writing.size();
        ByteBuffer values = ByteBuffer.wrap(of(CAPABILITIES, bytes));
        MediumKind kind = disc.kind();
        boolean isCd = kind == MediumKind.CD_RW;
        boolean isRam = kind == MediumKind.DVD_RAM;
        boolean isMinus = kind == MediumKind.DVD_MINUS_RW;
        values.put(2, (byte) (isCd ? 0x03 : 0x08 | (isRam ? 0x20 : 0) | (isMinus ? 0x10 : 0)));
        values.put(3, (byte) (isCd ? 0x02 : (isRam ? 0x20 : 0) | (isMinus ? 0x10 : 0)));
        values.put(4, (byte) 0xd0); // buffer under-run free, multi-session, mode 2 form 1
        values.put(6, (byte) (0x29 | (tray.isLocked() ? 0x02 : 0))); // tray, eject, lock
        values.putShort(8, (short) speeds.mostReadKbPerSecond());
        values.putShort(12, (short) Math.min(0xffff, burner.profile().bufferBytes() / 1024));
        values.putShort(14, (short) burner.readKbPerSecond());
        values.putShort(18, (short) (int) writing.getFirst());
        values.putShort(20, (short) burner.writeKbPerSecond());
        values.putShort(22, (short) 1); // copy management: version 1
        values.putShort(28, (short) burner.writeKbPerSecond());
        values.putShort(30, (short) writing.size());
        for (int i = 0; i < writing.size(); i++) {
            values.putShort(32 + 4 * i + 2, (short) (int) writing.get(i));
        }
        return values.array();
    }

    byte[] select(MmcCall call) throws CheckCondition {
        int length = call.cdb().u16(7);
        CheckCondition.requireField(
                call.cdb().has(1, PAGE_FORMAT) && !call.cdb().has(1, SAVE_PAGES));
        if (length == 0) {
            return MmcDrive.nothing();
        }
        CheckCondition.require(
                length >= HEADER_BYTES && call.data().length >= length,
                Sense.PARAMETER_LIST_LENGTH);
        ByteBuffer list = ByteBuffer.wrap(call.data(), 0, length).slice();
        int descriptorBytes = list.getShort(6) & 0xffff;
        CheckCondition.require(
                descriptorBytes == 0 || descriptorBytes == 8, Sense.INVALID_PARAMETER);
        CheckCondition.require(
                HEADER_BYTES + descriptorBytes <= length, Sense.PARAMETER_LIST_LENGTH);
        list.position(HEADER_BYTES + descriptorBytes);
        byte[] chosen = writeParameters;
        while (list.hasRemaining()) {
            byte[] page = takePage(list);
            chosen = (page[0] & 0x3f) == WRITE_PARAMETERS ? page : chosen;
        }
        // All of the list or, where any of it is refused, nothing.
        writeParameters = chosen;
        return MmcDrive.nothing();
    }

    private byte[] takePage(ByteBuffer list) throws CheckCondition {
        CheckCondition.require(list.remaining() >= 2, Sense.PARAMETER_LIST_LENGTH);
        int code = list.get(list.position()) & 0x3f;
        boolean isKnown = Arrays.stream(PAGES).anyMatch(it -> it == code);
        CheckCondition.require(isKnown, Sense.INVALID_PARAMETER);
        byte[] current = page(code, CURRENT);
        int bytes = 2 + (list.get(list.position() + 1) & 0xff);
        CheckCondition.require(bytes == current.length, Sense.INVALID_PARAMETER);
        CheckCondition.require(list.remaining() >= bytes, Sense.PARAMETER_LIST_LENGTH);
        byte[] page = new byte[bytes];
        list.get(page);
        page[0] &= 0x3f;
        byte[] mask = changeable(code, bytes);
        for (int i = 2; i < bytes; i++) {
            CheckCondition.require(
                    ((page[i] ^ current[i]) & ~mask[i]) == 0, Sense.INVALID_PARAMETER);
        }
        if (code == WRITE_PARAMETERS) {
            checkWriteParameters(ByteBuffer.wrap(page));
        }
        return page;
    }

    private void checkWriteParameters(ByteBuffer page) throws CheckCondition {
        int blockType = page.get(4);
        CheckCondition.require(
                blockType == MODE_1 || blockType == MODE_2_FORM_1, Sense.INVALID_PARAMETER);
        CheckCondition.require((page.get(3) & 0x0f) <= 7, Sense.INVALID_PARAMETER);
        int packet = page.getInt(10);
        boolean isFixed = (page.get(3) & FIXED_PACKET) != 0;
        boolean isOurs = packet == burner.profile().medium().packetBlocks();
        CheckCondition.require(!isFixed || isOurs, Sense.INVALID_PARAMETER);
    }
}
