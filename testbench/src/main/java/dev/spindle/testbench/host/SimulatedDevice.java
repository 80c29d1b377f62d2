package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.RequestMachine;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.Submitter;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.EventHeap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The very queue and drive that serve live requests, driven by events: after each touch it asks to
 * be woken at its next deadline. Completions are told from within; whoever is told makes an event
 * of what follows.
 */
public final class SimulatedDevice {
    /** What writes carry: nothing is kept of it. */
    private static final ByteBuffer DATA = ByteBuffer.allocate(1 << 20);

    private final String name;
    private final String wakeUp;
    private final EventHeap events;
    private final RequestMachine machine;
    private final RequestQueue queue;
    private EventHeap.@Nullable Event armed;
    private long armedNs = DeviceClock.NEVER;
    private Runnable onTouched = () -> {};

    /**
     * Makes one.
     *
     * @param machine takes the requests
     * @param queue the one in front of the drive; the machine itself, where nothing is stacked
     */
    public SimulatedDevice(
            String name, EventHeap events, RequestMachine machine, RequestQueue queue) {
        this.name = name;
        wakeUp = name + " turn";
        this.events = events;
        this.machine = machine;
        this.queue = queue;
    }

    /** A request as this host makes them: whole, with as much data as need be. */
    public static BlockRequest request(
            BlockOperation operation, long offsetBytes, int lengthBytes, Runnable onEnd) {
        return new BlockRequest((_, _) -> onEnd.run())
                .prepare(operation, offsetBytes, lengthBytes, 0)
                .withData(DATA, 0);
    }

    public void submit(BlockRequest request, Submitter submitter) {
        machine.submit(request, submitter, events.nowNs());
        settle();
    }

    /** Somebody waits for what was submitted. */
    public void unplug() {
        queue.unplug(events.nowNs());
        settle();
    }

    /** Told after each touch; nothing has changed in between. */
    void watch(Runnable newOnTouched) {
        onTouched = newOnTouched;
    }

    public String name() {
        return name;
    }

    /** What takes the requests: the queue, or what is stacked on it. */
    public RequestMachine machine() {
        return machine;
    }

    public RequestQueue queue() {
        return queue;
    }

    /** Interrupts: one for each command the drive has ended. */
    public long interrupts() {
        return queue.counters().get(Counter.COMMANDS);
    }

    private void settle() {
        machine.advance(events.nowNs());
        onTouched.run();
        long dueNs = machine.nextDeadlineNs();
        if (dueNs == armedNs) {
            return;
        }
        if (armed != null) {
            events.cancel(armed);
            armed = null;
        }
        armedNs = dueNs;
        if (dueNs != DeviceClock.NEVER) {
            armed = events.at(dueNs, wakeUp, this::turn);
        }
    }

    private void turn() {
        armed = null;
        armedNs = DeviceClock.NEVER;
        settle();
    }
}
