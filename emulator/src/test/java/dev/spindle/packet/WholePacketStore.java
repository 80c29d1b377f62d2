package dev.spindle.packet;

import dev.spindle.block.DirectMemory;
import dev.spindle.media.BackingStore;
import dev.spindle.media.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store in memory that is a disc: it is written in whole packets, or the test fails. */
final class WholePacketStore implements BackingStore {
    private final MemoryStore store;
    private final int packetBytes;
    private long packetsWritten;

    WholePacketStore(long capacityBytes, int packetBytes) {
        store = new MemoryStore(capacityBytes);
        this.packetBytes = packetBytes;
    }

    long packetsWritten() {
        return packetsWritten;
    }

    @Override
    public long capacityBytes() {
        return store.capacityBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes) {
        store.read(offsetBytes, target, index, lengthBytes);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        if (offsetBytes % packetBytes != 0 || lengthBytes % packetBytes != 0) {
            throw new AssertionError("half a packet: " + offsetBytes + "+" + lengthBytes);
        }
        packetsWritten += lengthBytes / packetBytes;
        store.write(offsetBytes, source, index, lengthBytes);
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) {
        throw new AssertionError("a disc cannot discard");
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) {
        throw new AssertionError("zeroes come as data");
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
    public long allocatedBytes() {
        return store.allocatedBytes();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
