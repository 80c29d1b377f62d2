package dev.spindle.drive.optical;

import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/** The operation on the whole disc that occupies a drive, if any, and until when. */
final class DiscWork {
    private @Nullable DiscOperation operation;
    private long beginNs;
    private long endNs = DeviceClock.NEVER;
    private long freeSinceNs = Long.MIN_VALUE;

    boolean isUnderWay() {
        return operation != null;
    }

    void begin(DiscOperation newOperation, long fromNs, long untilNs) {
        operation = newOperation;
        beginNs = fromNs;
        endNs = untilNs;
    }

    /** How much of it is done by then, from 0 to 1. */
    double doneShare(long nowNs) {
        return Math.clamp((double) (nowNs - beginNs) / Math.max(1, endNs - beginNs), 0, 1);
    }

    long endNs() {
        return endNs;
    }

    /** What has ended by then, which is told once; null where nothing has. */
    @Nullable DiscOperation takeEnded(long nowNs) {
        DiscOperation ended = operation;
        if (ended == null || endNs - nowNs > 0) {
            return null;
        }
        operation = null;
        freeSinceNs = endNs;
        endNs = DeviceClock.NEVER;
        return ended;
    }

    /** No command can begin before the last operation has ended. */
    long notBefore(long nowNs) {
        return Math.max(nowNs, freeSinceNs);
    }

    @Nullable DiscOperation operation() {
        return operation;
    }
}
