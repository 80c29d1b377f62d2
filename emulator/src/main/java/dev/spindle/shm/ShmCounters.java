package dev.spindle.shm;

import java.util.concurrent.atomic.LongAdder;

/** What shared memory has seen so far. Added to by the event loops, read by anyone. */
public final class ShmCounters {
    final LongAdder attached = new LongAdder();
    final LongAdder detached = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder writtenBytes = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder bells = new LongAdder();
    final LongAdder wakes = new LongAdder();
    final LongAdder creditsReturned = new LongAdder();
    final LongAdder poolRepairs = new LongAdder();
    final LongAdder growthRefused = new LongAdder();

    public long attached() {
        return attached.sum();
    }

    public long detached() {
        return detached.sum();
    }

    public long refused() {
        return refused.sum();
    }

    /** Processes cut off because what stood in their shared memory made no sense. */
    public long protocolErrors() {
        return protocolErrors.sum();
    }

    public long requests() {
        return requests.sum();
    }

    public long readBytes() {
        return readBytes.sum();
    }

    public long writtenBytes() {
        return writtenBytes.sum();
    }

    /** Requests that ended with an error. */
    public long errors() {
        return errors.sum();
    }

    /** Times a process had to wake the daemon. */
    public long bells() {
        return bells.sum();
    }

    /** Times the daemon had to wake a process for its completions. */
    public long wakes() {
        return wakes.sum();
    }

    /** Credits that processes held without a request when they ended. */
    public long creditsReturned() {
        return creditsReturned.sum();
    }

    /** Times the shared count of the pool made no sense and was set right. */
    public long poolRepairs() {
        return poolRepairs.sum();
    }

    /** Times an arena could not grow for want of memory. */
    public long growthRefused() {
        return growthRefused.sum();
    }
}
