package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;

/** What a machine counts of the requests it completes. Owned by the loop that owns the device. */
public final class RequestAccounts {
    private final Counters counters;
    private final QueueLatencies latencies = new QueueLatencies();

    public RequestAccounts(Counters counters) {
        this.counters = counters;
    }

    public Counters counters() {
        return counters;
    }

    public QueueLatencies latencies() {
        return latencies;
    }

    /** Counts it and gives it back to its front end. */
    public void complete(BlockRequest request, long atNs) {
        latencies.record(request, atNs);
        count(request);
        request.complete(atNs);
    }

    private void count(BlockRequest request) {
        switch (request.operation()) {
            case READ -> {
                counters.increment(Counter.READS);
                counters.add(Counter.READ_BYTES, request.lengthBytes());
            }
            case WRITE, WRITE_ZEROES -> {
                counters.increment(Counter.WRITES);
                counters.add(Counter.WRITE_BYTES, request.lengthBytes());
            }
            case FLUSH -> counters.increment(Counter.FLUSHES);
            case DISCARD -> counters.increment(Counter.DISCARDS);
            case COMMAND -> {}
        }
        if (request.status() != BlockStatus.OK) {
            counters.increment(Counter.ERRORS);
        }
    }
}
