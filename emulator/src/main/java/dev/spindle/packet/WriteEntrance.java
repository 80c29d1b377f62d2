package dev.spindle.packet;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.Submitter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Where writes come in. A request is cut at the borders of zones; a piece joins the packet in work
 * for its zone, if that still takes any, and goes into the write queue otherwise, if there is room.
 * Like that of the request queue, admission may stop in the middle of a request.
 */
final class WriteEntrance {
    private final PacketGeometry geometry;
    private final PacketPool packets;
    private final PacketStatistics statistics;
    private final Congestion congestion;
    private final WriteQueue queue = new WriteQueue();
    private final ArrayDeque<WritePiece> freePieces = new ArrayDeque<>();

    WriteEntrance(
            PacketGeometry geometry,
            PacketPool packets,
            PacketStatistics statistics,
            Counters counters) {
        this.geometry = geometry;
        this.packets = packets;
        this.statistics = statistics;
        congestion = new Congestion(counters);
    }

    WriteQueue queue() {
        return queue;
    }

    Congestion congestion() {
        return congestion;
    }

    /** Lets in what it may; what is left sleeps with its submitter. */
    void submit(BlockRequest request, Submitter submitter, PacketSettings settings, long nowNs) {
        if (!admit(request, submitter, settings, nowNs)) {
            submitter.enqueue(request);
            congestion.sleep(submitter, nowNs);
        }
    }

    /** Cuts and admits as much as there is room for; true when all of it is in. */
    boolean admit(BlockRequest request, Submitter submitter, PacketSettings settings, long nowNs) {
        do {
            long sector = Sectors.ofBytes(request.offsetBytes() + request.admittedBytes());
            long zone = geometry.zoneOf(sector);
            Packet open = packets.openFor(zone);
            if (open == null && !congestion.admits(submitter, queue.size(), settings)) {
                return false;
            }
            if (request.admittedBytes() > 0) {
                statistics.increment(PacketCounter.SPLITS);
            }
            WritePiece piece = piece(request, sector, geometry.endSector(zone));
            if (open != null) {
                open.attach(piece);
                statistics.increment(PacketCounter.ATTACHED);
            } else {
                queue.add(zone, piece);
            }
            request.admitPart((long) piece.frames() * PacketGeometry.FRAME_BYTES, nowNs);
        } while (!request.isAdmitted());
        return true;
    }

    private WritePiece piece(BlockRequest request, long sector, long zoneEnd) {
        long end = Sectors.ofBytes(request.offsetBytes() + request.lengthBytes());
        int frames = (int) ((Math.min(end, zoneEnd) - sector) / PacketGeometry.FRAME_SECTORS);
        WritePiece free = freePieces.pollFirst();
        return (free == null ? new WritePiece() : free).set(request, sector, frames);
    }

    /** A piece whose packet has ended. */
    void recycle(WritePiece piece) {
        piece.clear();
        freePieces.addFirst(piece);
    }

    /** After the queue has become shorter: who is to be let in again, or null. */
    @Nullable Submitter wake(PacketSettings settings, long nowNs) {
        congestion.shrunk(queue.size(), settings);
        return congestion.wake(queue.size(), settings, nowNs);
    }
}
