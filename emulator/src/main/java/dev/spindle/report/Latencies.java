package dev.spindle.report;

/**
 * How long requests took: counts in 16 buckets to a doubling, so that a percentile is at most a
 * sixteenth too high.
 */
public final class Latencies {
    static final int SUB_BITS = 4;
    static final int TOP_BITS = 40;
    static final int BUCKETS = (TOP_BITS - SUB_BITS + 1) << SUB_BITS;

    private final long[] counts;
    private final long maxNs;

    Latencies(long[] counts, long maxNs) {
        this.counts = counts.clone();
        this.maxNs = maxNs;
    }

    static Latencies none() {
        return new Latencies(new long[BUCKETS], 0);
    }

    Latencies plus(Latencies other) {
        long[] sum = counts.clone();
        for (int i = 0; i < BUCKETS; i++) {
            sum[i] += other.counts[i];
        }
        return new Latencies(sum, Math.max(maxNs, other.maxNs));
    }

    public long maxNs() {
        return maxNs;
    }

    /** So many percent took no longer; 0 where there are none. */
    public long percentileNs(double percent) {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        long wanted = Math.max(1, (long) Math.ceil(total * percent / 100));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(maxNs, longestNs(i));
            }
        }
        return maxNs;
    }

    /** Of a bucket: the inverse of bucket_of in report.c. */
    static long longestNs(int bucket) {
        int sub = 1 << SUB_BITS;
        if (bucket < sub) {
            return bucket;
        }
        int doubling = (bucket >> SUB_BITS) - 1;
        long first = (long) (sub + (bucket & (sub - 1))) << doubling;
        return first + (1L << doubling) - 1;
    }
}
