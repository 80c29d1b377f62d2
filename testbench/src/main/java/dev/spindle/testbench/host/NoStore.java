package dev.spindle.testbench.host;

import dev.spindle.block.DirectMemory;
import dev.spindle.media.BackingStore;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Keeps no data: where only times matter. */
record NoStore(long capacityBytes) implements BackingStore {
    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes) {
        // Nobody looks.
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes) {
        // Nobody will ask.
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) {
        // Nothing is kept.
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) {
        // Nothing is kept.
    }

    @Override
    public void flush() {
        // Nothing is kept.
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
        // Nothing is held.
    }
}
