package dev.spindle.packet;

import java.util.Arrays;

/** A packet writer's counts. Owned by the loop that owns the device. */
public final class PacketStatistics {
    private final long[] counts = new long[PacketCounter.values().length];

    void increment(PacketCounter counter) {
        counts[counter.id()]++;
    }

    void add(PacketCounter counter, long amount) {
        counts[counter.id()] += amount;
    }

    public long get(PacketCounter counter) {
        return counts[counter.id()];
    }

    /** To zero, as writing to the driver's stat/reset did. */
    void reset() {
        Arrays.fill(counts, 0);
    }
}
