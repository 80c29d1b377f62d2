package dev.spindle.media;

import dev.spindle.block.DirectMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store that keeps nothing, where only times matter: traces and experiments. */
public record VoidStore(long capacityBytes) implements BackingStore {
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
