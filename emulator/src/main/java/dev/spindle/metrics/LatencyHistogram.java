package dev.spindle.metrics;

import org.HdrHistogram.Histogram;

/**
 * How long something took, in nanoseconds, to two digits; owned by the loop that owns the device.
 */
public final class LatencyHistogram {
    private static final long MAX_NS = 3_600_000_000_000L;
    private static final int DIGITS = 2;

    private final Histogram histogram = new Histogram(MAX_NS, DIGITS);

    public void record(long latencyNs) {
        histogram.recordValue(Math.clamp(latencyNs, 0, MAX_NS));
    }

    public Summary summary() {
        return new Summary(
                histogram.getTotalCount(),
                (long) histogram.getMean(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }

    /** So many percent took no longer. */
    public long percentileNs(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    /** What people read of a histogram. */
    public record Summary(long count, long meanNs, long p50Ns, long p99Ns, long maxNs) {}
}
