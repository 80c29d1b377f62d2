package dev.spindle.drive.optical;

import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/** The operation on the whole disc that occupies a drive, if any, and until when. */
final class DiscWork {
    private @Nullable DiscOperation operation;
    private long endNs = DeviceClock.NEVER;
    private long freeSinceNs = Long.MIN_VALUE;

    boolean isUnderWay() {
        return operation != null;
    }

    void begin(DiscOperation newOperation, long untilNs) {
        operation = newOperation;
        endNs = untilNs;
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
