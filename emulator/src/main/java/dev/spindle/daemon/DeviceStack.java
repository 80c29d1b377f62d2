package dev.spindle.daemon;

import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.config.PacketConfig;
import dev.spindle.control.PacketMapping;
import dev.spindle.control.QueueMapping;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.metrics.Counters;
import dev.spindle.packet.PacketDisc;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.RequestMachine;
import dev.spindle.queue.RequestQueue;
import java.util.Optional;

/**
 * A device's machines, one on the other.
 *
 * @param top takes the requests
 * @param queue in front of the drive; the same where nothing is stacked on it
 * @param drive the lowest
 */
record DeviceStack(RequestMachine top, RequestQueue queue, Drive drive) {
    static DeviceStack build(DeviceConfig config, DataMover mover) {
        Drive drive = Drives.open(config.drive(), config.disc(), config.sizeBytes(), mover);
        RequestQueue queue =
                new RequestQueue(QueueMapping.settings(config.queue()), drive, new Counters());
        Optional<PacketConfig> writer = config.disc().flatMap(DiscConfig::writer);
        if (writer.isPresent() && drive instanceof OpticalDrive burner) {
            PacketDisc disc = disc(config).orElseThrow();
            return new DeviceStack(
                    new PacketWriter(
                            disc,
                            writer.get().packets(),
                            PacketMapping.settings(writer.get()),
                            queue,
                            burner::setReadSpeed,
                            new Counters()),
                    queue,
                    drive);
        }
        return new DeviceStack(queue, queue, drive);
    }

    /** The disc as the packet writer opens it; empty where there is no packet writer. */
    static Optional<PacketDisc> disc(DeviceConfig config) {
        Optional<PacketConfig> writer = config.disc().flatMap(DiscConfig::writer);
        if (writer.isPresent() && config.drive() instanceof OpticalDriveConfig optical) {
            return Optional.of(
                    Discs.opened(config, optical, config.disc().orElseThrow(), writer.get()));
        }
        return Optional.empty();
    }
}
