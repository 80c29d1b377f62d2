package dev.spindle.queue;

import dev.spindle.block.CongestionMarks;
import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;

/**
 * One direction of a queue: its pool and its congestion flag. Owned by the loop that owns the
 * device.
 */
final class QueueSide {
    private final RequestPool pool;
    private final Counter congestedCounter;
    private final Counters counters;
    private CongestionMarks marks;
    private boolean isCongested;

    QueueSide(QueueSettings settings, Counters counters, Counter congestedCounter) {
        pool = new RequestPool(settings.nrRequests(), settings.hardCap(), settings.wake());
        marks = settings.marks();
        this.counters = counters;
        this.congestedCounter = congestedCounter;
    }

    RequestPool pool() {
        return pool;
    }

    boolean isCongested() {
        return isCongested;
    }

    /** After a take, a free or a change of the marks. */
    void updateFlag() {
        if (!isCongested && pool.count() >= marks.on()) {
            isCongested = true;
            counters.increment(congestedCounter);
        } else if (isCongested && pool.count() < marks.off()) {
            isCongested = false;
        }
    }

    void apply(QueueSettings settings) {
        pool.resize(settings.nrRequests(), settings.hardCap());
        pool.wakeBy(settings.wake());
        marks = settings.marks();
        isCongested = isCongested && pool.count() >= marks.off();
        updateFlag();
    }
}
