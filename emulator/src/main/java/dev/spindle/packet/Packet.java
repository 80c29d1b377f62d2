package dev.spindle.packet;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.Sectors;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * One packet: its data, what the host has written into it, and the requests that read and write it.
 * Made once and used again; while it is idle its data may still be that of its zone.
 */
final class Packet {
    private final PacketGeometry geometry;
    private final ByteBuffer data;
    private final BlockRequest write;
    private final BlockRequest[] reads;
    private final ArrayDeque<WritePiece> pieces = new ArrayDeque<>();
    private final BitSet written = new BitSet();
    private PacketState state = PacketState.IDLE;
    private long zone = -1;
    private boolean isCached;
    private boolean isFua;
    private int framesWritten;
    private long waitsSinceNs;
    private int unfinished;
    private BlockStatus status = BlockStatus.OK;

    /** {@code onEnded} is told of each of its requests that has come back. */
    Packet(PacketGeometry geometry, Runnable onEnded) {
        this.geometry = geometry;
        data = ByteBuffer.allocateDirect(geometry.packetBytes());
        write = new BlockRequest((request, _) -> ended(request, onEnded));
        reads = new BlockRequest[geometry.packetFrames()];
        for (int i = 0; i < reads.length; i++) {
            reads[i] = new BlockRequest((request, _) -> ended(request, onEnded));
        }
    }

    private void ended(BlockRequest request, Runnable onEnded) {
        if (status == BlockStatus.OK) {
            status = request.status();
        }
        unfinished--;
        onEnded.run();
    }

    PacketState state() {
        return state;
    }

    void enter(PacketState newState) {
        state = newState;
    }

    long zone() {
        return zone;
    }

    int frames() {
        return geometry.frames(zone);
    }

    /** Begins anew, for pieces of a zone. Data kept from last time counts if it is of that zone. */
    void begin(long newZone, ArrayDeque<WritePiece> newPieces, long nowNs) {
        assert state == PacketState.IDLE && pieces.isEmpty();
        isCached = isCached && zone == newZone;
        zone = newZone;
        isFua = false;
        framesWritten = 0;
        waitsSinceNs = nowNs;
        unfinished = 0;
        status = BlockStatus.OK;
        newPieces.forEach(this::attach);
        state = PacketState.WAITING;
    }

    /** True where a piece that comes now can still go with it. */
    boolean takesMore() {
        return state == PacketState.WAITING || state == PacketState.READ_WAIT;
    }

    void attach(WritePiece piece) {
        pieces.addLast(piece);
        framesWritten += piece.frames();
        isFua |= piece.request().isFua();
    }

    /** By the sum of its pieces, as the driver counted: two of one frame count twice. */
    boolean isComplete() {
        return framesWritten >= frames();
    }

    long waitsSinceNs() {
        return waitsSinceNs;
    }

    /** True when all of its data is here though the host did not write it all. */
    boolean isCached() {
        return isCached;
    }

    /** True when its requests have come back. */
    boolean isAtRest() {
        return unfinished == 0;
    }

    boolean hasFailed() {
        return status != BlockStatus.OK;
    }

    /** Notes which frames the host has written; how many are missing. */
    int countMissing() {
        written.clear();
        long first = geometry.firstSector(zone);
        for (WritePiece piece : pieces) {
            int frame = (int) (piece.firstSector() - first) / PacketGeometry.FRAME_SECTORS;
            written.set(frame, frame + piece.frames());
        }
        return frames() - written.cardinality();
    }

    /** After {@link #countMissing}: a read for each frame that is missing. */
    void readMissing(FrameReader reader) {
        long offsetBytes = Sectors.toBytes(geometry.firstSector(zone));
        for (int f = written.nextClearBit(0); f < frames(); f = written.nextClearBit(f + 1)) {
            int index = f * PacketGeometry.FRAME_BYTES;
            reads[f].prepare(
                            BlockOperation.READ, offsetBytes + index, PacketGeometry.FRAME_BYTES, 0)
                    .withData(data, index);
            unfinished++;
            reader.read(reads[f]);
        }
    }

    /** Puts the host's data in; the write to send. */
    BlockRequest fill(long nowNs) {
        long first = geometry.firstSector(zone);
        for (WritePiece piece : pieces) {
            piece.copyTo(data, first);
            piece.request().started(nowNs);
        }
        unfinished = 1;
        return write.prepare(
                        BlockOperation.WRITE,
                        Sectors.toBytes(first),
                        (long) frames() * PacketGeometry.FRAME_BYTES,
                        0)
                .withData(data, 0)
                .withFua(isFua);
    }

    /** Frames the host has written, one written twice counted twice. */
    int framesWritten() {
        return framesWritten;
    }

    /**
     * Ends: idle again, with its data worth keeping where some of it had to be read. The pieces are
     * the caller's.
     */
    ArrayDeque<WritePiece> finish() {
        boolean wasPartial = countMissing() > 0;
        isCached = !hasFailed() && (isCached || wasPartial);
        state = PacketState.IDLE;
        return pieces;
    }

    /** Takes the reads of a packet. */
    @FunctionalInterface
    interface FrameReader {
        void read(BlockRequest request);
    }
}
