package dev.spindle.block;

/**
 * The two thresholds of a congestion flag: set when the count reaches {@code on}, cleared when it
 * falls below {@code off}. The gap between them is the hysteresis.
 */
public record CongestionMarks(int on, int off) {
    public CongestionMarks {
        if (on < 1 || off < 1 || off > on) {
            throw new IllegalArgumentException(
                    "congestion marks on=" + on + " off=" + off + ": needs 1 <= off <= on");
        }
    }

    /**
     * The kernel's formulas for a pool of {@code nrRequests} (blk_queue_congestion_threshold, Linux
     * 2.6).
     */
    public static CongestionMarks ofRequests(int nrRequests) {
        int eighth = nrRequests / 8;
        int on = Math.min(nrRequests, nrRequests - eighth + 1);
        int off = Math.max(1, nrRequests - eighth - nrRequests / 16 - 1);
        return new CongestionMarks(on, off);
    }
}
