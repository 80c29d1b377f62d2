package dev.spindle.drive.optical.mmc;

import java.nio.ByteBuffer;

/**
 * Why a command ended with CHECK CONDITION, in the numbers of SPC-3: sense key, additional sense
 * code and its qualifier.
 *
 * @param information the block at which it happened; {@link #NOTHING} where that says nothing
 * @param progress of a long operation, in parts of 65,536; {@link #NOTHING} where there is none
 */
public record Sense(int key, int code, int qualifier, long information, int progress) {
    public static final int NOTHING = -1;
    static final int BYTES = 18;

    static final Sense NONE = of(0x0, 0x00, 0x00);
    static final Sense BECOMING_READY = of(0x2, 0x04, 0x01);
    static final Sense FORMAT_IN_PROGRESS = of(0x2, 0x04, 0x04);
    static final Sense OPERATION_IN_PROGRESS = of(0x2, 0x04, 0x07);
    static final Sense LONG_WRITE_IN_PROGRESS = of(0x2, 0x04, 0x08);
    static final Sense TRAY_OPEN = of(0x2, 0x3a, 0x02);
    static final Sense WRITE_ERROR = of(0x3, 0x0c, 0x00);
    static final Sense UNRECOVERED_READ_ERROR = of(0x3, 0x11, 0x00);
    static final Sense INTERNAL_TARGET_FAILURE = of(0x4, 0x44, 0x00);
    static final Sense PARAMETER_LIST_LENGTH = of(0x5, 0x1a, 0x00);
    static final Sense INVALID_OPCODE = of(0x5, 0x20, 0x00);
    static final Sense OUT_OF_RANGE = of(0x5, 0x21, 0x00);
    static final Sense INVALID_ADDRESS_FOR_WRITE = of(0x5, 0x21, 0x02);
    static final Sense INVALID_FIELD = of(0x5, 0x24, 0x00);
    static final Sense INVALID_PARAMETER = of(0x5, 0x26, 0x00);
    static final Sense INCOMPATIBLE_MEDIUM = of(0x5, 0x30, 0x00);
    static final Sense CANNOT_READ_FORMAT = of(0x5, 0x30, 0x02);
    static final Sense SAVING_NOT_SUPPORTED = of(0x5, 0x39, 0x00);
    static final Sense REMOVAL_PREVENTED = of(0x5, 0x53, 0x02);
    static final Sense ILLEGAL_MODE_FOR_TRACK = of(0x5, 0x64, 0x00);
    static final Sense MEDIUM_CHANGED = of(0x6, 0x28, 0x00);
    static final Sense WRITE_PROTECTED = of(0x7, 0x27, 0x00);
    static final Sense DATA_PHASE_ERROR = of(0xb, 0x4b, 0x00);

    private static final int FIXED_CURRENT = 0x70;
    private static final int VALID = 0x80;
    private static final int SENSE_KEY_SPECIFIC_VALID = 0x80;
    private static final int MOST_PROGRESS = 0xffff;

    private static Sense of(int key, int code, int qualifier) {
        return new Sense(key, code, qualifier, NOTHING, NOTHING);
    }

    Sense at(long block) {
        return new Sense(key, code, qualifier, block, progress);
    }

    /** With how much is done, from 0 to 1. */
    Sense done(double share) {
        int parts = (int) Math.min(MOST_PROGRESS, share * (MOST_PROGRESS + 1));
        return new Sense(key, code, qualifier, information, parts);
    }

    /** In the fixed format, 18 bytes. */
    public byte[] bytes() {
        ByteBuffer sense = ByteBuffer.allocate(BYTES);
        sense.put(0, (byte) (FIXED_CURRENT | (information == NOTHING ? 0 : VALID)));
        sense.put(2, (byte) key);
        sense.putInt(3, information == NOTHING ? 0 : (int) information);
        sense.put(7, (byte) (BYTES - 8));
        sense.put(12, (byte) code);
        sense.put(13, (byte) qualifier);
        if (progress != NOTHING) {
            sense.put(15, (byte) SENSE_KEY_SPECIFIC_VALID);
            sense.putShort(16, (short) progress);
        }
        return sense.array();
    }
}
