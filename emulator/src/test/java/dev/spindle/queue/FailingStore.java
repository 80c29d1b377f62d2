package dev.spindle.queue;

import dev.spindle.block.DirectMemory;
import dev.spindle.media.BackingStore;
import dev.spindle.media.SectorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store whose host has no room beyond a point. */
public final class FailingStore implements BackingStore {
    private final long capacityBytes;
    private final long roomBytes;
    private final long badOffsetBytes;

    public FailingStore(long capacityBytes, long roomBytes) {
        this(capacityBytes, roomBytes, Long.MAX_VALUE);
    }

    /** {@code badOffsetBytes} cannot be read; all before it reads as ones. */
    public FailingStore(long capacityBytes, long roomBytes, long badOffsetBytes) {
        this.badOffsetBytes = badOffsetBytes;
        this.capacityBytes = capacityBytes;
        this.roomBytes = roomBytes;
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes)
            throws SectorException {
        boolean isBad = offsetBytes <= badOffsetBytes && badOffsetBytes < offsetBytes + lengthBytes;
        long good = isBad ? badOffsetBytes - offsetBytes : lengthBytes;
        for (int i = 0; i < good; i++) {
            target.put(index + i, (byte) 1);
        }
        if (isBad) {
            throw new SectorException(badOffsetBytes, "a bad sector", null);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        if (offsetBytes + lengthBytes > roomBytes) {
            throw new IOException("No space left on device");
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
