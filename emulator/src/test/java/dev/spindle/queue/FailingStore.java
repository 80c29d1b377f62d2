package dev.spindle.queue;

import dev.spindle.media.ForwardingStore;
import dev.spindle.media.SectorException;
import dev.spindle.media.VoidStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store whose host has no room beyond a point. */
public final class FailingStore extends ForwardingStore {
    private final long roomBytes;
    private final long badOffsetBytes;

    public FailingStore(long capacityBytes, long roomBytes) {
        this(capacityBytes, roomBytes, Long.MAX_VALUE);
    }

    /** {@code badOffsetBytes} cannot be read; all before it reads as ones. */
    public FailingStore(long capacityBytes, long roomBytes, long badOffsetBytes) {
        super(new VoidStore(capacityBytes));
        this.badOffsetBytes = badOffsetBytes;
        this.roomBytes = roomBytes;
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
}
