package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;
import java.util.Iterator;

/**
 * One process that writes files back to a packet disc and then waits until the drive has everything
 * on the disc: thread 002. It sleeps where the packet writer lets nobody in.
 */
public final class DiscWriter {
    private static final int FRAME_BYTES = 2048;
    private static final int BATCH = 64;

    private final EventHeap events;
    private final long cpuPerBioNs;
    private final SimulatedDevice device;
    private final Iterator<WriteBack.Step> steps;
    private final Submitter submitter;
    private int batched;
    private int pending;
    private boolean isSubmitted;
    private Runnable onFinished = () -> {};
    private long submittedNs;
    private long finishedNs;

    /**
     * Of a tree of files.
     *
     * @param cpuPerBioNs what the kernel spends on each
     * @param passFrames how much of a file is written before the next has its turn
     * @param readsPerPass reads the file system makes for each file and pass
     */
    public DiscWriter(
            FileTree tree,
            long cpuPerBioNs,
            int passFrames,
            double readsPerPass,
            long seed,
            EventHeap events,
            SimulatedDevice device) {
        this.events = events;
        this.cpuPerBioNs = cpuPerBioNs;
        this.device = device;
        steps = new WriteBack(tree, passFrames, 16, readsPerPass, seed);
        submitter = new Submitter("pdflush", () -> events.after(0, "pdflush woken", this::next));
    }

    public static int passFrames() {
        return WriteBack.PASS_FRAMES;
    }

    public void start() {
        events.after(0, "pdflush", this::next);
    }

    private void next() {
        while (steps.hasNext()) {
            WriteBack.Step step = steps.next();
            if (step.isRead()) {
                read(step);
                return;
            }
            pending++;
            device.submit(request(BlockOperation.WRITE, step, this::writeEnded), submitter);
            batched++;
            if (submitter.isWaiting()) {
                return;
            }
            if (batched >= BATCH) {
                long workNs = batched * cpuPerBioNs;
                batched = 0;
                events.after(workNs, "bios submitted", this::next);
                return;
            }
        }
        isSubmitted = true;
        submittedNs = events.nowNs();
        flushIfDone();
    }

    private void read(WriteBack.Step step) {
        Runnable goOn = () -> events.after(0, "metadata read", this::next);
        device.submit(request(BlockOperation.READ, step, goOn), submitter);
    }

    private static BlockRequest request(
            BlockOperation operation, WriteBack.Step step, Runnable onEnd) {
        return SimulatedDevice.request(
                operation, step.frame() * FRAME_BYTES, step.frames() * FRAME_BYTES, onEnd);
    }

    private void writeEnded() {
        pending--;
        flushIfDone();
    }

    private void flushIfDone() {
        if (isSubmitted && pending == 0) {
            isSubmitted = false;
            events.after(0, "flush", this::flush);
        }
    }

    private void flush() {
        BlockRequest flush =
                new BlockRequest((_, atNs) -> flushed(atNs)).prepare(BlockOperation.FLUSH, 0, 0, 0);
        device.submit(flush, submitter);
    }

    private void flushed(long atNs) {
        finishedNs = atNs;
        onFinished.run();
    }

    public DiscWriter whenFinished(Runnable newOnFinished) {
        onFinished = newOnFinished;
        return this;
    }

    /** When the last bio had been let in. */
    public long submittedNs() {
        return submittedNs;
    }

    public double seconds() {
        return finishedNs / 1e9;
    }
}
