package dev.spindle.trace;

import java.util.Arrays;

/** How long something took, each time, in nanoseconds; exact. */
public final class Times {
    private long[] values = new long[1024];
    private int count;
    private boolean isSorted;

    public void add(long ns) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
        }
        values[count++] = ns;
        isSorted = false;
    }

    public int count() {
        return count;
    }

    /** 0 where there are none. */
    public double meanNs() {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        return count == 0 ? 0 : sum / count;
    }

    /** The smallest that so many percent of all do not exceed; 0 where there are none. */
    public long percentileNs(double percent) {
        if (count == 0) {
            return 0;
        }
        sort();
        int rank = (int) Math.ceil(percent / 100 * count);
        return values[Math.clamp(rank - 1, 0, count - 1)];
    }

    public long maxNs() {
        return percentileNs(100);
    }

    private void sort() {
        if (!isSorted) {
            Arrays.sort(values, 0, count);
            isSorted = true;
        }
    }
}
