package dev.spindle.testbench.host;

import dev.spindle.drive.DataMover;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.drive.optical.MediumState;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.drive.optical.OpticalProfile;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.packet.PacketDisc;
import dev.spindle.packet.PacketGeometry;
import dev.spindle.packet.PacketSettings;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.RequestQueue;
import dev.spindle.time.EventHeap;

/**
 * The 4x DVD+RW burner of thread 002 behind a packet writer.
 *
 * @param device to write to
 * @param writer to look into
 */
public record Burner(SimulatedDevice device, PacketWriter writer) {
    private static final double SPEED = 4;
    private static final double BUS_BYTES_PER_SECOND = 20e6;
    private static final long BUFFER_BYTES = 2 << 20;
    private static final int POOL = 128;

    public static Burner open(
            OpticalProfile.Timing timing, PacketSettings settings, EventHeap events) {
        MediumKind medium = MediumKind.DVD_PLUS_RW;
        OpticalProfile profile =
                new OpticalProfile(
                        medium,
                        MediumState.FORMATTED,
                        SPEED,
                        SPEED,
                        timing,
                        BUS_BYTES_PER_SECOND,
                        BUFFER_BYTES);
        long capacityBytes = medium.capacityBytes();
        OpticalDrive drive =
                new OpticalDrive(
                        profile, capacityBytes, DataMover.inline(new VoidStore(capacityBytes)));
        RequestQueue queue = new RequestQueue(QueueSettings.of(POOL, POOL), drive, new Counters());
        PacketGeometry geometry = new PacketGeometry(medium.packetBlocks(), 0, capacityBytes / 512);
        PacketWriter writer =
                new PacketWriter(
                        PacketDisc.writable(geometry, false, profile.speedKbPerSecond()),
                        PacketWriter.DEFAULT_PACKETS,
                        settings,
                        queue,
                        drive::setReadSpeed,
                        new Counters());
        return new Burner(new SimulatedDevice("burner", events, writer, queue), writer);
    }
}
