package dev.spindle.drive.optical.mmc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** INQUIRY: standard data, and the vital product data pages 00, 80 and 83 (SPC-3). */
final class Inquiry {
    static final String VENDOR = "SPINDLE";
    static final String REVISION = "1.0";

    private static final int MULTIMEDIA_DEVICE = 0x05;
    private static final int REMOVABLE = 0x80;
    private static final int SPC_3 = 0x05;
    private static final int RESPONSE_FORMAT = 0x02;
    private static final int STANDARD_BYTES = 36;
    private static final int PAGE_SUPPORTED = 0x00;
    private static final int PAGE_SERIAL = 0x80;
    private static final int PAGE_IDENTIFICATION = 0x83;
    private static final int ASCII = 0x02;
    private static final int T10_VENDOR = 0x01;

    private final MmcIdentity identity;

    Inquiry(MmcIdentity identity) {
        this.identity = identity;
    }

    byte[] answer(Cdb cdb) throws CheckCondition {
        boolean isVital = cdb.has(1, 0x01);
        int page = cdb.u8(2);
        CheckCondition.requireField(!cdb.has(1, 0x02));
        if (!isVital) {
            CheckCondition.requireField(page == 0);
            return standard();
        }
        return switch (page) {
            case PAGE_SUPPORTED ->
                    vital(
                            page,
                            new byte[] {
                                PAGE_SUPPORTED, (byte) PAGE_SERIAL, (byte) PAGE_IDENTIFICATION
                            });
            case PAGE_SERIAL -> vital(page, identity.serial().getBytes(US_ASCII));
            case PAGE_IDENTIFICATION -> vital(page, identification());
            default -> throw new CheckCondition(Sense.INVALID_FIELD);
        };
    }

    private byte[] standard() {
        ByteBuffer data = ByteBuffer.allocate(STANDARD_BYTES);
        data.put(0, (byte) MULTIMEDIA_DEVICE);
        data.put(1, (byte) REMOVABLE);
        data.put(2, (byte) SPC_3);
        data.put(3, (byte) RESPONSE_FORMAT);
        data.put(4, (byte) (STANDARD_BYTES - 5));
        data.put(8, padded(VENDOR, 8));
        data.put(16, padded(identity.product(), 16));
        data.put(32, padded(REVISION, 4));
        return data.array();
    }

    private static byte[] vital(int page, byte[] content) {
        ByteBuffer data = ByteBuffer.allocate(4 + content.length);
        data.put(0, (byte) MULTIMEDIA_DEVICE);
        data.put(1, (byte) page);
        data.putShort(2, (short) content.length);
        data.put(4, content);
        return data.array();
    }

    /** Vendor, product and serial number, which together are nobody else's. */
    private byte[] identification() {
        byte[] name =
                (new String(padded(VENDOR, 8), US_ASCII)
                                + new String(padded(identity.product(), 16), US_ASCII)
                                + identity.serial())
                        .getBytes(US_ASCII);
        ByteBuffer data = ByteBuffer.allocate(4 + name.length);
        data.put(0, (byte) ASCII);
        data.put(1, (byte) T10_VENDOR);
        data.put(3, (byte) name.length);
        data.put(4, name);
        return data.array();
    }

    /** Cut, or filled with blanks; what is no ASCII becomes '?'. */
    private static byte[] padded(String text, int length) {
        byte[] bytes = Arrays.copyOf(text.getBytes(US_ASCII), length);
        for (int i = text.length(); i < length; i++) {
            bytes[i] = ' ';
        }
        return bytes;
    }
}
