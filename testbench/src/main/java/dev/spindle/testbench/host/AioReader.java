package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;

/**
 * The program of thread 000: opens a file O_DIRECT, submits reads one after the other, then waits
 * for them all. The kernel maps each page on the way and cuts each read into bios of max_sectors;
 * each bio needs a request, and io_submit sleeps where none is free.
 */
public final class AioReader {
    private static final int PAGE_BYTES = 4096;
    private static final int DIRECT_BLOCKS = 12;
    private static final int BLOCKS_OF_AN_INDIRECT = 1024;

    /**
     * What it does.
     *
     * @param bioBytes the most that one bio holds
     * @param cpuPerPageNs faulting in, pinning and mapping a page
     * @param hasColdMetadata the file's indirect blocks have to be read before what they map
     */
    public record Plan(
            int reads, int readBytes, int bioBytes, long cpuPerPageNs, boolean hasColdMetadata) {}

    private final Plan plan;
    private final EventHeap events;
    private final SimulatedDevice device;
    private final Processor processor;
    private final Submitter submitter;
    private final long bios;
    private long nextBio;
    private long diskBytes;
    private long ended;
    private long enqueuedNs;
    private long finishedNs;

    public AioReader(Plan plan, EventHeap events, SimulatedDevice device) {
        this.plan = plan;
        this.events = events;
        this.device = device;
        processor = new Processor(events);
        submitter = new Submitter("testaio", () -> events.after(0, "testaio woken", this::next));
        bios = (long) plan.reads * plan.readBytes / plan.bioBytes;
    }

    public void start() {
        events.after(0, "testaio", this::next);
    }

    private void next() {
        if (nextBio == bios) {
            enqueuedNs = events.nowNs();
            return;
        }
        if (plan.hasColdMetadata && needsIndirectBlock()) {
            readIndirectBlock();
        } else {
            mapPages();
        }
    }

    /** Of ext3: twelve blocks mapped by the inode, then 1024 by each indirect block. */
    private boolean needsIndirectBlock() {
        long first = nextBio * plan.bioBytes / PAGE_BYTES;
        long end = first + plan.bioBytes / PAGE_BYTES;
        return first == 0 || indirectOf(first - 1) != indirectOf(end - 1);
    }

    private static long indirectOf(long block) {
        return Math.floorDiv(block - DIRECT_BLOCKS, BLOCKS_OF_AN_INDIRECT);
    }

    /** It lies before what it maps; nothing can be submitted before it is there. */
    private void readIndirectBlock() {
        device.submit(
                SimulatedDevice.request(
                        BlockOperation.READ,
                        diskBytes,
                        PAGE_BYTES,
                        () -> events.after(0, "indirect block read", this::mapPages)),
                submitter);
        diskBytes += PAGE_BYTES;
        device.unplug();
    }

    private void mapPages() {
        long pages = plan.bioBytes / PAGE_BYTES;
        processor.work(pages * plan.cpuPerPageNs, "pages mapped", this::submitBio);
    }

    private void submitBio() {
        device.submit(
                SimulatedDevice.request(
                        BlockOperation.READ, diskBytes, plan.bioBytes, this::bioEnded),
                submitter);
        diskBytes += plan.bioBytes;
        nextBio++;
        if (!submitter.isWaiting()) {
            next();
        }
    }

    private void bioEnded() {
        ended++;
        if (ended == bios) {
            finishedNs = events.nowNs();
        }
    }

    /** When the last io_submit had come back. */
    public double enqueueSeconds() {
        return enqueuedNs / 1e9;
    }

    public double totalSeconds() {
        return Math.max(finishedNs, enqueuedNs) / 1e9;
    }

    public double cpuSeconds() {
        return processor.busyNs() / 1e9;
    }
}
