package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.metrics.LatencyHistogram;
import dev.spindle.time.TimeScale;

/**
 * Where requests spent their time, by direction: waiting for the pool and the drive, being served,
 * and in all.
 */
public final class QueueLatencies {
    private final LatencyHistogram readWait = new LatencyHistogram();
    private final LatencyHistogram readTotal = new LatencyHistogram();
    private final LatencyHistogram writeWait = new LatencyHistogram();
    private final LatencyHistogram writeTotal = new LatencyHistogram();
    private final LatencyHistogram lateness = new LatencyHistogram();
    private TimeScale scale = TimeScale.REAL;

    void record(BlockRequest request, long nowNs) {
        boolean isWrite = request.operation().isWrite();
        long waitNs = request.startedNs() - request.submittedNs();
        (isWrite ? writeWait : readWait).record(waitNs);
        (isWrite ? writeTotal : readTotal).record(nowNs - request.submittedNs());
    }

    /** Something due has been dealt with so much device time later. */
    public void late(long deviceNs) {
        lateness.record(scale.toWallNs(deviceNs));
    }

    /** How fast the device's time passes from now on. */
    void scale(TimeScale newScale) {
        scale = newScale;
    }

    /** From submission until the drive began the first part. */
    public LatencyHistogram readWait() {
        return readWait;
    }

    /** From submission to completion. */
    public LatencyHistogram readTotal() {
        return readTotal;
    }

    public LatencyHistogram writeWait() {
        return writeWait;
    }

    public LatencyHistogram writeTotal() {
        return writeTotal;
    }

    /**
     * How much later than the drive ended a command its completion was dealt with, in wall time
     * whatever the scale; by real time only.
     */
    public LatencyHistogram lateness() {
        return lateness;
    }
}
