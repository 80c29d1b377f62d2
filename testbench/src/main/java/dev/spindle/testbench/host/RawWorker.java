package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;

/**
 * A process that reads or writes a raw disk from one end, so many requests at a time: thread 004.
 * Each request is a few bios. Read and write wait for theirs, and unplug the queue before they
 * sleep; io_submit does not. io_getevents waits until all that was submitted is complete, and every
 * completion wakes it to look.
 */
public final class RawWorker {
    /** Who is woken when. */
    public enum Style {
        /** Completion in the process: it is woken for every bio. */
        SYNC_PER_BIO,
        /** Completion in the interrupt: it is woken once. */
        SYNC_ONCE,
        ASYNC
    }

    /**
     * What it does.
     *
     * @param depth requests under way at a time
     * @param cpuPerRequestNs submission and completion
     */
    public record Plan(
            Style style,
            BlockOperation operation,
            int requests,
            int requestBytes,
            int bioBytes,
            int depth,
            long cpuPerRequestNs) {}

    private final Plan plan;
    private final EventHeap events;
    private final SimulatedDevice device;
    private final Processor processor;
    private final Submitter submitter = new Submitter("worker", () -> {});
    private int submitted;
    private int ended;
    private long finishedNs;

    public RawWorker(Plan plan, EventHeap events, SimulatedDevice device) {
        this.plan = plan;
        this.events = events;
        this.device = device;
        processor = new Processor(events);
    }

    public void start() {
        for (int i = 0; i < plan.depth && submitted < plan.requests; i++) {
            submitNext();
        }
        if (plan.style != Style.ASYNC) {
            device.unplug();
        }
    }

    private void submitNext() {
        int bios = plan.requestBytes / plan.bioBytes;
        int[] left = {bios};
        long offsetBytes = (long) submitted * plan.requestBytes;
        submitted++;
        for (int i = 0; i < bios; i++) {
            device.submit(
                    SimulatedDevice.request(
                            plan.operation,
                            offsetBytes + (long) i * plan.bioBytes,
                            plan.bioBytes,
                            () -> bioEnded(left)),
                    submitter);
        }
    }

    private void bioEnded(int[] left) {
        left[0]--;
        if (left[0] > 0) {
            if (plan.style == Style.SYNC_PER_BIO) {
                processor.slept();
            }
            return;
        }
        ended++;
        processor.slept();
        if (ended == plan.requests) {
            finishedNs = events.nowNs();
        } else if (ended == submitted) {
            processor.work(plan.depth * plan.cpuPerRequestNs, "requests done", this::start);
        }
    }

    public long finishedNs() {
        return finishedNs;
    }

    public Processor processor() {
        return processor;
    }
}
