package dev.spindle.packet;

import dev.spindle.media.ForwardingStore;
import dev.spindle.media.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A disc or platter behind a cache that a FLUSH empties and a power cut forgets. */
final class PowerCutStore extends ForwardingStore {
    private final MemoryStore cached;
    private final MemoryStore durable;

    PowerCutStore(long capacityBytes) {
        this(new MemoryStore(capacityBytes), capacityBytes);
    }

    private PowerCutStore(MemoryStore cached, long capacityBytes) {
        super(cached);
        this.cached = cached;
        durable = new MemoryStore(capacityBytes);
    }

    @Override
    public void flush() throws IOException {
        int length = (int) capacityBytes();
        ByteBuffer all = ByteBuffer.allocate(length);
        cached.read(0, all, 0, length);
        durable.write(0, all, 0, length);
    }

    /** What is there after the power has been away. */
    long longAfterPowerCut(long offsetBytes) {
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES);
        durable.read(offsetBytes, value, 0, Long.BYTES);
        return value.getLong(0);
    }
}
