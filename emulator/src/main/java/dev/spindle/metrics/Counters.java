package dev.spindle.metrics;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A device's counters: written by the loop that owns the device, read by anyone. */
public final class Counters {
    private final AtomicBuffer values =
            new UnsafeBuffer(new byte[Counter.values().length * Long.BYTES]);

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public void add(Counter counter, long amount) {
        int index = counter.id() * Long.BYTES;
        values.putLongRelease(index, values.getLong(index) + amount);
    }

    public long get(Counter counter) {
        return values.getLongVolatile(counter.id() * Long.BYTES);
    }
}
