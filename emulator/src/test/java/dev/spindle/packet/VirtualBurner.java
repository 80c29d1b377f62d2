package dev.spindle.packet;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.drive.optical.OpticalProfile;
import dev.spindle.media.BackingStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.Submitter;
import dev.spindle.time.DeviceClock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A packet writer on a queue on a burner, in virtual time: for tests. */
final class VirtualBurner {
    static final int FRAME = PacketGeometry.FRAME_BYTES;
    private static final ByteBuffer ZEROES = ByteBuffer.allocate(1 << 20);

    final OpticalDrive drive;
    final RequestQueue queue;
    final PacketWriter writer;
    final Submitter host = new Submitter("host", () -> {});
    final List<BlockStatus> ended = new ArrayList<>();
    private long nowNs;

    VirtualBurner(OpticalProfile profile, BackingStore store, PacketSettings settings) {
        drive = new OpticalDrive(profile, store.capacityBytes(), DataMover.inline(store));
        queue = new RequestQueue(QueueSettings.of(128, 128), drive, new Counters());
        PacketGeometry geometry =
                new PacketGeometry(profile.medium().packetBlocks(), 0, store.capacityBytes() / 512);
        writer =
                new PacketWriter(
                        PacketDisc.writable(geometry, false, profile.speedKbPerSecond()),
                        PacketWriter.DEFAULT_PACKETS,
                        settings,
                        queue,
                        drive::setReadSpeed,
                        new Counters());
    }

    long nowNs() {
        return nowNs;
    }

    double nowSeconds() {
        return nowNs / 1e9;
    }

    BlockRequest submit(BlockOperation operation, long frame, int frames) {
        BlockRequest request = request(operation, frame, frames);
        submit(request);
        return request;
    }

    BlockRequest request(BlockOperation operation, long frame, int frames) {
        BlockRequest request = new BlockRequest((done, _) -> ended.add(done.status()));
        request.prepare(operation, frame * FRAME, (long) frames * FRAME, 0);
        return operation == BlockOperation.WRITE || operation == BlockOperation.READ
                ? request.withData(ZEROES, 0)
                : request;
    }

    void submit(BlockRequest request) {
        submit(request, host);
    }

    void submit(BlockRequest request, Submitter submitter) {
        writer.submit(request, submitter, nowNs);
        writer.advance(nowNs);
    }

    BlockRequest write(long frame, int frames) {
        return submit(BlockOperation.WRITE, frame, frames);
    }

    BlockRequest read(long frame, int frames) {
        return submit(BlockOperation.READ, frame, frames);
    }

    /** Frame by frame from there on, as UDF writes, sleeping where it has to. */
    void stream(long frame, int frames) {
        for (int i = 0; i < frames; i++) {
            write(frame + i, 1);
            while (host.isWaiting()) {
                step();
            }
        }
    }

    void pass(long spanNs) {
        long untilNs = nowNs + spanNs;
        while (writer.nextDeadlineNs() <= untilNs) {
            step();
        }
        nowNs = untilNs;
        writer.advance(nowNs);
    }

    void step() {
        long dueNs = writer.nextDeadlineNs();
        if (dueNs == DeviceClock.NEVER) {
            throw new AssertionError("nothing is due, yet somebody waits: " + writer.report());
        }
        nowNs = Math.max(nowNs, dueNs);
        writer.advance(nowNs);
    }

    void drain() {
        while (writer.nextDeadlineNs() != DeviceClock.NEVER) {
            step();
        }
    }

    /** Until everything is on the disc. */
    void sync() {
        drain();
        submit(BlockOperation.FLUSH, 0, 0);
        drain();
    }

    long count(PacketCounter counter) {
        return writer.statistics().get(counter);
    }
}
