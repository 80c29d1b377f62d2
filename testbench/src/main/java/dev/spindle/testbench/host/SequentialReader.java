package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;

/**
 * The programs of thread 001: dd, and an AIO reader, on a raw disk from its start. So many reads
 * are submitted in one call, then awaited in another; a client of a kernel without io_queue_wait
 * asks again and again instead of sleeping. A kernel with the read-ahead bug reads everything into
 * the page cache as well, where nobody looks for it.
 */
public final class SequentialReader {
    private static final int WINDOW_BYTES = 128 << 10;

    /**
     * What it does.
     *
     * @param depth reads in a call
     * @param calls system calls for that: one for read(2), two for AIO
     * @param callNs entering the kernel, sleeping and waking
     * @param readNs each read's own work
     */
    public record Plan(
            int reads,
            int readBytes,
            int depth,
            int calls,
            long callNs,
            long readNs,
            boolean isPolling,
            boolean readsAheadTwice) {}

    private final Plan plan;
    private final EventHeap events;
    private final SimulatedDevice device;
    private final Processor processor;
    private final Submitter submitter = new Submitter("reader", () -> {});
    private int submitted;
    private int pending;
    private long windowEnd;
    private long waitsSinceNs;

    public SequentialReader(Plan plan, EventHeap events, SimulatedDevice device) {
        this.plan = plan;
        this.events = events;
        this.device = device;
        processor = new Processor(events);
    }

    public void start() {
        int reads = Math.min(plan.depth, plan.reads - submitted);
        if (reads > 0) {
            long submissionNs = (plan.calls - 1) * plan.callNs + reads * plan.readNs;
            processor.work(submissionNs, "reads submitted", () -> submit(reads));
        }
    }

    private void submit(int reads) {
        pending = reads;
        for (int i = 0; i < reads; i++) {
            long offsetBytes = (long) submitted * plan.readBytes;
            submitted++;
            if (plan.readsAheadTwice && offsetBytes >= windowEnd) {
                readAhead(offsetBytes);
            }
            device.submit(
                    SimulatedDevice.request(
                            BlockOperation.READ, offsetBytes, plan.readBytes, this::readEnded),
                    submitter);
        }
        waitsSinceNs = events.nowNs();
        device.unplug();
    }

    private void readAhead(long offsetBytes) {
        windowEnd = offsetBytes + WINDOW_BYTES;
        device.submit(
                SimulatedDevice.request(BlockOperation.READ, offsetBytes, WINDOW_BYTES, () -> {})
                        .withReadAhead(true),
                submitter);
    }

    private void readEnded() {
        pending--;
        if (pending > 0) {
            return;
        }
        if (plan.isPolling) {
            processor.polled(events.nowNs() - waitsSinceNs);
        } else {
            processor.slept();
        }
        processor.work(plan.callNs, "reads reaped", this::start);
    }

    public Processor processor() {
        return processor;
    }
}
