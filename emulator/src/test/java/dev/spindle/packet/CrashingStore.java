package dev.spindle.packet;

import dev.spindle.media.BackingStore;
import dev.spindle.media.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/** Keeps writes in a cache of its own until a FLUSH; what is there when the power goes is lost. */
final class CrashingStore extends ForwardingStore {
    private final TreeMap<Long, byte[]> cache = new TreeMap<>();
    private final boolean isHonest;

    /** One that is not honest says that it has flushed. */
    CrashingStore(BackingStore store, boolean isHonest) {
        super(store);
        this.isHonest = isHonest;
    }

    void losePower() {
        cache.clear();
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes) {
        byte[] data = new byte[lengthBytes];
        source.get(index, data);
        cache.put(offsetBytes, data);
    }

    @Override
    public void flush() throws IOException {
        if (!isHonest) {
            return;
        }
        for (var entry : cache.entrySet()) {
            byte[] data = entry.getValue();
            store().write(entry.getKey(), ByteBuffer.wrap(data), 0, data.length);
        }
        cache.clear();
    }
}
