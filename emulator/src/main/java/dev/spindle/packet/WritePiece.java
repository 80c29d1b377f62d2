package dev.spindle.packet;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a WRITE has to do with one zone: the unit in which the write queue counts. Reused. */
final class WritePiece {
    private @Nullable BlockRequest request;
    private long firstSector;
    private int frames;

    WritePiece set(BlockRequest newRequest, long newFirstSector, int newFrames) {
        request = newRequest;
        firstSector = newFirstSector;
        frames = newFrames;
        return this;
    }

    void clear() {
        request = null;
    }

    BlockRequest request() {
        assert request != null;
        return request;
    }

    long firstSector() {
        return firstSector;
    }

    int frames() {
        return frames;
    }

    /** Puts its data where it belongs in a packet that begins at that sector. */
    void copyTo(ByteBuffer packet, long packetFirstSector) {
        int index = (int) Sectors.toBytes(firstSector - packetFirstSector);
        int bytes = frames * PacketGeometry.FRAME_BYTES;
        if (request().operation() == BlockOperation.WRITE_ZEROES) {
            for (int i = index; i < index + bytes; i += Long.BYTES) {
                packet.putLong(i, 0);
            }
            return;
        }
        ByteBuffer data = request().data();
        assert data != null : "WRITE without data";
        long into = Sectors.toBytes(firstSector) - request().offsetBytes();
        packet.put(index, data, request().dataIndex() + (int) into, bytes);
    }
}
