package dev.spindle.block;

/**
 * The block layer's unit: 512 bytes, whatever the medium's own block is. Conversions happen here
 * and nowhere else.
 */
public final class Sectors {
    public static final int BYTES = 512;
    public static final int SHIFT = 9;

    private Sectors() {}

    /** Whole sectors in {@code bytes}, which must be a multiple of 512. */
    public static long ofBytes(long bytes) {
        assert (bytes & (BYTES - 1)) == 0 : bytes;
        return bytes >> SHIFT;
    }

    public static long toBytes(long sectors) {
        return sectors << SHIFT;
    }
}
