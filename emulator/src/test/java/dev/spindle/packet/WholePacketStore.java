package dev.spindle.packet;

import dev.spindle.media.ForwardingStore;
import dev.spindle.media.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store in memory that is a disc: it is written in whole packets, or the test fails. */
final class WholePacketStore extends ForwardingStore {
    private final int packetBytes;
    private long packetsWritten;

    WholePacketStore(long capacityBytes, int packetBytes) {
        super(new MemoryStore(capacityBytes));
        this.packetBytes = packetBytes;
    }

    long packetsWritten() {
        return packetsWritten;
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        if (offsetBytes % packetBytes != 0 || lengthBytes % packetBytes != 0) {
            throw new AssertionError("half a packet: " + offsetBytes + "+" + lengthBytes);
        }
        packetsWritten += lengthBytes / packetBytes;
        super.write(offsetBytes, source, index, lengthBytes);
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) {
        throw new AssertionError("a disc cannot discard");
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) {
        throw new AssertionError("zeroes come as data");
    }
}
