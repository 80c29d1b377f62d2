package dev.spindle.disksim;

import dev.spindle.block.DirectMemory;
import dev.spindle.media.BackingStore;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store that keeps nothing: of a trace only the times matter. */
record Nowhere(long capacityBytes) implements BackingStore {
    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes) {
        // The target keeps what it holds.
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes) {
        // Nobody reads it.
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) {
        // It holds nothing.
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) {
        // It holds nothing.
    }

    @Override
    public void flush() {
        // It holds nothing.
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
    public long allocatedBytes() {
        return 0;
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
