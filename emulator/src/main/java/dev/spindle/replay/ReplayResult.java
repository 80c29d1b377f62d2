package dev.spindle.replay;

import dev.spindle.block.BlockOperation;
import dev.spindle.trace.StageTimes;
import dev.spindle.trace.Times;
import java.util.Map;

/**
 * What came of a replay.
 *
 * @param errors requests that did not end well
 * @param bytes read and written
 * @param durationNs from the first request to the last end
 * @param all from each request's making to its end
 * @param byOperation the same apart, for those operations that there were
 * @param stages where the time went, as btt counts it
 */
public record ReplayResult(
        int errors,
        long bytes,
        long durationNs,
        Times all,
        Map<BlockOperation, Times> byOperation,
        StageTimes stages) {
    /** In megabytes of 10^6. */
    public double megabytesPerSecond() {
        return durationNs == 0 ? 0 : bytes * 1e3 / durationNs;
    }

    public double requestsPerSecond() {
        return durationNs == 0 ? 0 : all.count() * 1e9 / durationNs;
    }
}
