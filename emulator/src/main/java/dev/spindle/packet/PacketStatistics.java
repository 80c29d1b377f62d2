package dev.spindle.packet;

/** A packet writer's counts. Owned by the loop that owns the device. */
public final class PacketStatistics {
    private final long[] counts = new long[PacketCounter.values().length];

    void increment(PacketCounter counter) {
        counts[counter.id()]++;
    }

    void add(PacketCounter counter, long amount) {
        counts[counter.id()] += amount;
    }

    /** As writing to the driver's file stat/reset did: what stands in its stat folder is zero. */
    public void reset() {
        for (PacketCounter counter : PacketCounter.values()) {
            if (counter.isReset()) {
                counts[counter.id()] = 0;
            }
        }
    }

    public long get(PacketCounter counter) {
        return counts[counter.id()];
    }
}
