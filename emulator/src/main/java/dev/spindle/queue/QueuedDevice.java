package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import dev.spindle.block.QueueLimits;
import dev.spindle.drive.DriveSettings;
import dev.spindle.metrics.Counter;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A device alive: its ring, its request queue with whatever is stacked on it, and the event loop
 * that owns all of it. Requests are published from any thread; the rest happens on the loop, in
 * turns: take what the ring holds, move the drive on to now, ask to be woken at the next deadline.
 */
public final class QueuedDevice implements BlockDevice {
    /** Read by those who connect, on whatever thread. */
    private volatile DeviceIdentity identity;

    private final RequestMachine machine;
    private final RequestQueue queue;
    private final RequestRing ring;
    private final ScaledClock clock;
    private final OwningLoop loop;
    private final StoreView store;
    private final Runnable turn = this::run;
    private final AtomicBoolean isWakeUpPending = new AtomicBoolean();
    private final Runnable wokenTurn = this::runWhenWoken;
    private final RequestRing.Taker taker = this::take;
    private final ArrayDeque<Runnable> waitForRoom = new ArrayDeque<>();
    private final CongestionWatch congestion = new CongestionWatch();
    private boolean isRunning;

    private long turnNs;

    /** A drive behind its request queue alone. */
    public QueuedDevice(
            DeviceIdentity identity,
            RequestQueue queue,
            int ringSlots,
            ScaledClock clock,
            OwningLoop loop,
            StoreView store) {
        this(identity, queue, queue, ringSlots, clock, loop, store);
    }

    /**
     * A machine stacked on the drive's own queue.
     *
     * @param machine takes the requests; the queue itself, where nothing is stacked on it
     * @param queue the one in front of the drive
     */
    public QueuedDevice(
            DeviceIdentity identity,
            RequestMachine machine,
            RequestQueue queue,
            int ringSlots,
            ScaledClock clock,
            OwningLoop loop,
            StoreView store) {
        this.identity = identity;
        this.machine = machine;
        this.queue = queue;
        this.clock = clock;
        this.loop = loop;
        this.store = store;
        ring = new RequestRing(ringSlots);
        tellScale();
    }

    @Override
    public String name() {
        return identity.name();
    }

    @Override
    public String description() {
        return identity.description();
    }

    @Override
    public long capacityBytes() {
        return identity.capacityBytes();
    }

    @Override
    public QueueLimits limits() {
        return identity.limits();
    }

    @Override
    public boolean isReadOnly() {
        return identity.isReadOnly();
    }

    @Override
    public boolean isRotational() {
        return identity.isRotational();
    }

    @Override
    public @Nullable DirectMemory directMemory() {
        return store.directMemory();
    }

    @Override
    public boolean zeroesFast() {
        return store.zeroesFast();
    }

    @Override
    public void findExtents(
            long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener) {
        store.findExtents(offsetBytes, lengthBytes, into, listener);
    }

    @Override
    public void awaitRoom(Runnable told) {
        waitForRoom.addLast(told);
    }

    @Override
    public boolean publish(BlockRequest request, Submitter submitter) {
        if (!ring.offer(request, submitter)) {
            if (loop.isInside()) {
                machine.counters().increment(Counter.RING_FULL);
            }
            return false;
        }
        if (!loop.isInside() && isWakeUpPending.compareAndSet(false, true)) {
            loop.execute(wokenTurn);
        }
        return true;
    }

    private void runWhenWoken() {
        isWakeUpPending.set(false);
        run();
    }

    @Override
    public void run() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            int taken;
            do {
                turnNs = clock.nowNs();
                if (machine.nextDeadlineNs() - turnNs < 0) {
                    // What came due earlier happens before what comes now, as in virtual time.
                    machine.advance(turnNs);
                }
                taken = ring.drain(taker);
                machine.advance(turnNs);
            } while (taken > 0 && ring.hasMore());
            congestion.look(machine, turnNs);
            tellRoom();
            loop.runAt(machine.nextDeadlineNs(), turn);
        } finally {
            isRunning = false;
        }
    }

    /** Those who ask again at once are told next time. */
    private void tellRoom() {
        for (int left = waitForRoom.size(); left > 0; left--) {
            waitForRoom.removeFirst().run();
        }
    }

    private void take(BlockRequest request, Submitter submitter) {
        machine.submit(request, submitter, turnNs);
    }

    /** On the owning loop: changes the queue's tunables. */
    public void apply(QueueSettings settings) {
        queue.apply(settings, clock.nowNs());
        run();
    }

    /** On the owning loop: makes a change that needs the time, then takes a turn. */
    public void change(LongConsumer atNs) {
        atNs.accept(clock.nowNs());
        run();
    }

    /**
     * On the owning loop: lets its time pass at another rate from now on. What is due is asked for
     * anew.
     */
    public void scale(TimeScale scale) {
        clock.scale(scale);
        tellScale();
        run();
    }

    private void tellScale() {
        machine.latencies().scale(clock.scale());
        queue.latencies().scale(clock.scale());
    }

    /** On the owning loop: its time, which began when it did, and how fast that passes. */
    public DeviceClock clock() {
        return clock;
    }

    /** What those who connect from now on are told. */
    public void setIdentity(DeviceIdentity newIdentity) {
        identity = newIdentity;
    }

    /**
     * On the owning loop: told of the machine's congestion flags, reads in bit 0, writes in bit 1.
     */
    public void watchCongestion(IntConsumer told) {
        congestion.tell(told);
    }

    /** On the owning loop: switches the drive's cache. */
    public void apply(DriveSettings settings) {
        queue.apply(settings);
    }

    @Override
    public boolean hasPool() {
        return machine.admission() == Admission.POOL;
    }

    /** What requests are given to. On the owning loop only, like everything read from it. */
    public RequestMachine machine() {
        return machine;
    }

    /** The queue in front of the drive. On the owning loop only, like everything read from it. */
    public RequestQueue queue() {
        return queue;
    }

    public OwningLoop loop() {
        return loop;
    }
}
