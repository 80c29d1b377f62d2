package dev.spindle.queue;

import dev.spindle.metrics.Counter;
import java.util.function.IntConsumer;

/**
 * Looks at a machine's congestion flags after each turn of its loop: tells of a change, and counts
 * how long each was set, in the device's time. Owned by that loop.
 */
final class CongestionWatch {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int WRITERS_SLEEP = 4;

    private IntConsumer told = _ -> {};
    private int flags;
    private long lookedNs;

    /**
     * From now on told of the flags: reads in bit 0, writes in bit 1, and in bit 2 that writers are
     * to sleep.
     */
    void tell(IntConsumer newTold) {
        told = newTold;
        told.accept(flags);
    }

    void look(RequestMachine machine, long nowNs) {
        int now =
                (machine.isCongested(false) ? READ : 0)
                        | (machine.isCongested(true) ? WRITE : 0)
                        | (machine.admission() == Admission.READS ? WRITERS_SLEEP : 0);
        if ((flags & READ) != 0) {
            machine.counters().add(Counter.READ_CONGESTED_NS, nowNs - lookedNs);
        }
        if ((flags & WRITE) != 0) {
            machine.counters().add(Counter.WRITE_CONGESTED_NS, nowNs - lookedNs);
        }
        lookedNs = nowNs;
        if (now != flags) {
            flags = now;
            told.accept(now);
        }
    }
}
