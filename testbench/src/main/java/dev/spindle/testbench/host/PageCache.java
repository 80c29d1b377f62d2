package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.config.HostConfig;
import dev.spindle.queue.Submitter;
import dev.spindle.time.EventHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The page cache of a host with several devices: which pages are dirty, under write-back or clean,
 * in the order they would be reclaimed; the two dirty limits of Linux 2.6; and who waits for
 * congestion to go. Pages are kept in chunks of neighbours.
 */
public final class PageCache {
    private static final long ACCEPTED_NS = 20_000;

    /**
     * The machine.
     *
     * @param cacheBytes beyond this, a new page takes the place of the oldest
     * @param dirtyBytes beyond this, whoever dirties pages has to write some back
     * @param backgroundBytes beyond this, pdflush writes back
     * @param memoryBytesPerSecond at which a program fills pages
     */
    public record Plan(
            int chunkBytes,
            long cacheBytes,
            long dirtyBytes,
            long backgroundBytes,
            long memoryBytesPerSecond) {
        /** Of a host. */
        public static Plan of(HostConfig host, int chunkBytes) {
            HostConfig.Memory memory = host.memory();
            return new Plan(
                    chunkBytes,
                    memory.cacheBytes(),
                    memory.dirtyBytes(),
                    memory.backgroundBytes(),
                    host.memoryBytesPerSecond());
        }

        int chunks(long bytes) {
            return Math.toIntExact(bytes / chunkBytes);
        }
    }

    /**
     * A device with a file that grows.
     *
     * @param firstByte where the file begins
     * @param bioBytes how its file system cuts what it writes
     * @param isCongested the flag that pdflush looks at
     */
    public record Target(
            SimulatedDevice device, long firstByte, int bioBytes, BooleanSupplier isCongested) {}

    private enum State {
        DIRTY,
        WRITEBACK,
        CLEAN
    }

    /** Neighbouring pages of one file. */
    static final class Chunk {
        private final int target;
        private final long offsetBytes;
        private State state = State.DIRTY;
        private int pendingBios;

        private Chunk(int target, long offsetBytes) {
            this.target = target;
            this.offsetBytes = offsetBytes;
        }
    }

    /** Somebody in congestion_wait. */
    private static final class Waiter {
        private final Runnable goOn;
        private EventHeap.@Nullable Event timeout;

        Waiter(Runnable goOn) {
            this.goOn = goOn;
        }
    }

    private final Plan plan;
    private final EventHeap events;
    private final List<Target> targets;
    private final SplittableRandom random;
    private final List<ArrayDeque<Chunk>> dirtyInOrder = new ArrayList<>();
    private final ArrayDeque<Chunk> lru = new ArrayDeque<>();
    private final int[] dirty;
    private final int[] writeback;
    private final long[] written;
    private final long[] fileBytes;
    private List<Waiter> waiters = new ArrayList<>();
    private boolean isUnderPressure;
    private boolean wasUnderPressure;
    private int scanned;

    public PageCache(Plan plan, EventHeap events, List<Target> targets, long seed) {
        this.plan = plan;
        this.events = events;
        this.targets = List.copyOf(targets);
        random = new SplittableRandom(seed);
        dirty = new int[targets.size()];
        writeback = new int[targets.size()];
        written = new long[targets.size()];
        fileBytes = new long[targets.size()];
        targets.forEach(_ -> dirtyInOrder.add(new ArrayDeque<>()));
    }

    Plan plan() {
        return plan;
    }

    EventHeap events() {
        return events;
    }

    /** The bytes of a target that have reached it. */
    public long writtenBytes(int target) {
        return written[target];
    }

    /** True when nothing of a target is dirty or on its way. */
    boolean isClean(int target) {
        return dirty[target] + writeback[target] == 0;
    }

    /** True once the dirty limit has ever been met. */
    public boolean wasUnderPressure() {
        return wasUnderPressure;
    }

    boolean isUnderPressure() {
        return isUnderPressure;
    }

    boolean isCongested(int target) {
        return targets.get(target).isCongested.getAsBoolean();
    }

    void dirtyNext(int target) {
        Chunk chunk = new Chunk(target, targets.get(target).firstByte + fileBytes[target]);
        fileBytes[target] += plan.chunkBytes;
        lru.addLast(chunk);
        dirtyInOrder.get(target).addLast(chunk);
        dirty[target]++;
    }

    /** Of all targets, dirty and under write-back. */
    boolean isOverDirtyLimit() {
        int sum = sum(dirty) + sum(writeback);
        isUnderPressure = sum > plan.chunks(plan.dirtyBytes);
        wasUnderPressure |= isUnderPressure;
        return isUnderPressure;
    }

    boolean isOverBackground() {
        return sum(dirty) > plan.chunks(plan.backgroundBytes);
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    /** The oldest dirty chunk of a target; null when all is under way. */
    @Nullable Chunk nextDirty(int target) {
        ArrayDeque<Chunk> inOrder = dirtyInOrder.get(target);
        Chunk first = inOrder.pollFirst();
        while (first != null && first.state != State.DIRTY) {
            first = inOrder.pollFirst();
        }
        return first;
    }

    /** What stands in the way of a new chunk. */
    enum Reclaim {
        THERE_IS_ROOM,
        /** The oldest is dirty: the one who wants a page writes it. */
        WRITE_OLDEST,
        /** All that was looked at is under write-back. */
        WAIT
    }

    /** Makes room for one more chunk, as far as that can be done at once. */
    Reclaim reclaim() {
        while (lru.size() >= plan.chunks(plan.cacheBytes)) {
            Chunk oldest = lru.getFirst();
            switch (oldest.state) {
                case CLEAN -> lru.removeFirst();
                case DIRTY -> {
                    return Reclaim.WRITE_OLDEST;
                }
                case WRITEBACK -> {
                    lru.addLast(lru.removeFirst());
                    scanned++;
                    if (scanned % lru.size() == 0) {
                        return Reclaim.WAIT;
                    }
                }
            }
        }
        return Reclaim.THERE_IS_ROOM;
    }

    /** The dirty one that {@link #reclaim} came upon; it goes to the other end. */
    Chunk oldest() {
        Chunk oldest = lru.removeFirst();
        lru.addLast(oldest);
        return oldest;
    }

    int targetOf(Chunk chunk) {
        return chunk.target;
    }

    /** Hands a dirty chunk to its device; goes on when all of it has been let in. */
    void write(Chunk chunk, Writer writer, Runnable goOn) {
        Target target = targets.get(chunk.target);
        chunk.state = State.WRITEBACK;
        dirty[chunk.target]--;
        writeback[chunk.target]++;
        int bios = Math.max(1, plan.chunkBytes / target.bioBytes);
        chunk.pendingBios = bios;
        Submitter submitter = writer.submitter(chunk.target);
        for (int i = 0; i < bios; i++) {
            long offsetBytes = chunk.offsetBytes + (long) i * target.bioBytes;
            int lengthBytes = Math.min(target.bioBytes, plan.chunkBytes);
            target.device.submit(
                    SimulatedDevice.request(
                            BlockOperation.WRITE, offsetBytes, lengthBytes, () -> bioEnded(chunk)),
                    submitter);
        }
        if (submitter.isWaiting()) {
            writer.goOnWhenAdmitted(goOn);
        } else {
            events.after(ACCEPTED_NS, "written back", goOn);
        }
    }

    private void bioEnded(Chunk chunk) {
        chunk.pendingBios--;
        if (chunk.pendingBios == 0) {
            chunk.state = State.CLEAN;
            writeback[chunk.target]--;
            written[chunk.target] += plan.chunkBytes;
            wakeWaiters();
        }
    }

    /** As blk_congestion_wait: until a request anywhere is freed, but not longer. */
    void congestionWait(long mostNs, String who, Runnable goOn) {
        Waiter waiter = new Waiter(goOn);
        waiter.timeout =
                events.after(
                        mostNs,
                        who + " waited",
                        () -> {
                            waiters.remove(waiter);
                            goOn.run();
                        });
        waiters.add(waiter);
    }

    /** All of them, in no order to rely on. */
    private void wakeWaiters() {
        List<Waiter> woken = waiters;
        waiters = new ArrayList<>();
        while (!woken.isEmpty()) {
            Waiter next = woken.remove(random.nextInt(woken.size()));
            if (next.timeout != null) {
                events.cancel(next.timeout);
            }
            events.after(ACCEPTED_NS, "woken", next.goOn);
        }
    }

    /** A process as its devices know it: a submitter to each. */
    static final class Writer {
        private final List<Submitter> submitters = new ArrayList<>();
        private final EventHeap events;
        private Runnable onAdmitted = () -> {};

        Writer(String name, int targets, EventHeap events) {
            this.events = events;
            for (int i = 0; i < targets; i++) {
                submitters.add(
                        new Submitter(
                                name, () -> events.after(0, name + " let in", this::admitted)));
            }
        }

        Submitter submitter(int target) {
            return submitters.get(target);
        }

        void goOnWhenAdmitted(Runnable goOn) {
            onAdmitted = goOn;
        }

        private void admitted() {
            Runnable goOn = onAdmitted;
            onAdmitted = () -> {};
            goOn.run();
        }

        EventHeap events() {
            return events;
        }
    }

    Writer writer(String name) {
        return new Writer(name, targets.size(), events);
    }
}
