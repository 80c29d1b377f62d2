package dev.spindle.packet;

import dev.spindle.block.DirectMemory;
import dev.spindle.media.BackingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Keeps nothing; may be made to fail for a range of offsets. */
final class SinkStore implements BackingStore {
    private final long capacityBytes;
    private long badFrom = -1;
    private boolean failsReads;
    private boolean failsWrites;

    SinkStore(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    SinkStore failing(long fromBytes, boolean reads, boolean writes) {
        badFrom = fromBytes;
        failsReads = reads;
        failsWrites = writes;
        return this;
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes)
            throws IOException {
        check(failsReads, offsetBytes, lengthBytes);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        check(failsWrites, offsetBytes, lengthBytes);
    }

    private void check(boolean fails, long offsetBytes, int lengthBytes) throws IOException {
        if (fails && badFrom >= 0 && offsetBytes + lengthBytes > badFrom) {
            throw new IOException("scratched at " + badFrom);
        }
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
