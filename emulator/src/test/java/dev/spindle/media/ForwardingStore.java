package dev.spindle.media;

import dev.spindle.block.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Another store, in all that a test does not change; without its memory, so that nothing passes by.
 */
public abstract class ForwardingStore implements BackingStore {
    private final BackingStore store;

    protected ForwardingStore(BackingStore store) {
        this.store = store;
    }

    protected BackingStore store() {
        return store;
    }

    @Override
    public long capacityBytes() {
        return store.capacityBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes)
            throws IOException {
        store.read(offsetBytes, target, index, lengthBytes);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        store.write(offsetBytes, source, index, lengthBytes);
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) throws IOException {
        store.discard(offsetBytes, lengthBytes);
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) throws IOException {
        store.zero(offsetBytes, lengthBytes);
    }

    @Override
    public void flush() throws IOException {
        store.flush();
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public @Nullable DirectMemory directMemory() {
        return null;
    }

    @Override
    public long allocatedBytes() throws IOException {
        return store.allocatedBytes();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
