package dev.spindle.testbench.host;

import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueueState;
import dev.spindle.time.EventHeap;

/**
 * Looks at a device after each touch: how many requests its pool has given out, and for how long it
 * called itself congested. Between two touches nothing changes, so both are exact.
 */
public final class QueueWatch {
    private final SimulatedDevice device;
    private final EventHeap events;
    private long sinceNs;
    private int depth;
    private int deepest;
    private double depthNs;
    private boolean isCongested;
    private long congestedNs;
    private long congestedOff;

    public QueueWatch(SimulatedDevice device, EventHeap events) {
        this.device = device;
        this.events = events;
        device.watch(this::touched);
    }

    private void touched() {
        long nowNs = events.nowNs();
        depthNs += (double) depth * (nowNs - sinceNs);
        congestedNs += isCongested ? nowNs - sinceNs : 0;
        sinceNs = nowNs;
        QueueState state = device.queue().state();
        depth = state.readRequests() + state.writeRequests();
        deepest = Math.max(deepest, depth);
        boolean wasCongested = isCongested;
        isCongested =
                device.machine() instanceof PacketWriter writer
                        ? writer.isCongested(true)
                        : state.isReadCongested() || state.isWriteCongested();
        congestedOff += wasCongested && !isCongested ? 1 : 0;
    }

    /** Requests given out, over time. */
    public double meanDepth() {
        touched();
        return sinceNs == 0 ? 0 : depthNs / sinceNs;
    }

    public int deepest() {
        return deepest;
    }

    public long congestedNs() {
        return congestedNs;
    }

    /** Times it no longer called itself congested. */
    public long congestedOff() {
        return congestedOff;
    }
}
