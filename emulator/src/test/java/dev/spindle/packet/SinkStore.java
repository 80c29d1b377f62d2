package dev.spindle.packet;

import dev.spindle.media.ForwardingStore;
import dev.spindle.media.VoidStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Keeps nothing; may be made to fail for a range of offsets. */
final class SinkStore extends ForwardingStore {
    private long badFrom = -1;
    private boolean failsReads;
    private boolean failsWrites;

    SinkStore(long capacityBytes) {
        super(new VoidStore(capacityBytes));
    }

    SinkStore failing(long fromBytes, boolean reads, boolean writes) {
        badFrom = fromBytes;
        failsReads = reads;
        failsWrites = writes;
        return this;
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
}
