package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.metrics.Counters;
import org.jspecify.annotations.Nullable;

/**
 * What takes block requests and works on them in time: a request queue in front of its drive, or
 * something stacked on one. A pure machine without thread, clock or socket. Owned by the loop that
 * owns the device.
 */
public interface RequestMachine {
    /** Takes a request in at {@code nowNs}. Call {@link #advance} after a batch. */
    void submit(BlockRequest request, Submitter submitter, long nowNs);

    /** Does all that is due by {@code nowNs}. */
    void advance(long nowNs);

    /**
     * When to call {@link #advance} again; {@link dev.spindle.time.DeviceClock#NEVER} when only a
     * new request can matter.
     */
    long nextDeadlineNs();

    /** From now on told of every step of those requests; null for nobody. */
    void listen(@Nullable QueueListener listener);

    /** Its advisory flag for reads, or for writes. */
    boolean isCongested(boolean isWrite);

    /** Whom it lets in now; whether by a pool never changes. */
    default Admission admission() {
        return Admission.POOL;
    }

    /** Of the requests that came in by {@link #submit}. */
    Counters counters();

    /** Of the same. */
    QueueLatencies latencies();
}
