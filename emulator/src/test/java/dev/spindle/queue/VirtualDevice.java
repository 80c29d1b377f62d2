package dev.spindle.queue;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.Drive;
import dev.spindle.metrics.Counters;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.VirtualClock;

/** A request queue and a drive in virtual time, and a process that submits to it: for tests. */
public final class VirtualDevice {
    private final VirtualClock clock = new VirtualClock();
    private final RequestQueue queue;
    private final Counters counters = new Counters();
    private int completed;

    public VirtualDevice(QueueSettings settings, Drive drive) {
        queue = new RequestQueue(settings, drive, counters);
    }

    public RequestQueue queue() {
        return queue;
    }

    public Counters counters() {
        return counters;
    }

    public long nowNs() {
        return clock.nowNs();
    }

    public int completed() {
        return completed;
    }

    public BlockRequest request(BlockOperation operation, long offsetBytes, long lengthBytes) {
        return new BlockRequest((_, _) -> completed++)
                .prepare(operation, offsetBytes, lengthBytes, 0);
    }

    public void submit(BlockRequest request, Submitter submitter) {
        queue.submit(request, submitter, nowNs());
        queue.advance(nowNs());
    }

    /** As a process in io_submit: comes back only when all of the request is in the pool. */
    public void submitAndSleep(BlockRequest request, Submitter submitter) {
        submit(request, submitter);
        while (submitter.isWaiting()) {
            step();
        }
    }

    /** Lets time pass, dealing with what falls due. */
    public void pass(long spanNs) {
        long untilNs = nowNs() + spanNs;
        while (queue.nextDeadlineNs() <= untilNs) {
            step();
        }
        clock.advanceTo(untilNs);
        queue.advance(untilNs);
    }

    /** On to the next deadline. */
    public void step() {
        long deadlineNs = queue.nextDeadlineNs();
        if (deadlineNs == DeviceClock.NEVER) {
            throw new AssertionError("nothing is due, yet somebody waits: " + queue.state());
        }
        clock.advanceTo(Math.max(deadlineNs, nowNs()));
        queue.advance(nowNs());
    }

    public void drain() {
        while (queue.nextDeadlineNs() != DeviceClock.NEVER) {
            step();
        }
    }
}
