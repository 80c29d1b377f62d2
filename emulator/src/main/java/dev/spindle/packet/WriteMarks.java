package dev.spindle.packet;

/**
 * The congestion marks of the write queue, in queued pieces.
 *
 * @param on long from here on; not positive for never
 * @param off no longer at or below this
 */
public record WriteMarks(int on, int off) {
    /** What the driver had unless told otherwise. */
    public static final WriteMarks DEFAULT = new WriteMarks(10_000, 9_000);

    public static final WriteMarks NEVER = new WriteMarks(-1, -1);

    static final int MIN_ON = 500;
    static final int MAX_ON = 1_000_000;
    static final int LEAST_GAP = 100;
    static final int MIN_OFF = 100;

    public WriteMarks {
        if (on > 0 && (off < 0 || off >= on)) {
            throw new IllegalArgumentException(
                    "write congestion marks on=" + on + " off=" + off + ": needs 0 <= off < on");
        }
    }

    /** As the driver corrected what was written to its sysfs files. */
    public static WriteMarks clamped(int on, int off) {
        if (on <= 0) {
            return NEVER;
        }
        int high = Math.clamp(on, MIN_ON, MAX_ON);
        int most = high - LEAST_GAP;
        return new WriteMarks(high, off <= 0 ? most : Math.max(MIN_OFF, Math.min(off, most)));
    }

    boolean areSet() {
        return on > 0;
    }
}
