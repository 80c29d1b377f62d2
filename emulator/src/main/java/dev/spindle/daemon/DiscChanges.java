package dev.spindle.daemon;

import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.packet.OpenRefusal;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.shm.QueueFile;
import java.util.Optional;

/**
 * What follows from a disc that has been formatted, blanked or finalised: the packet writer opens
 * it anew, and those who connect from then on may write it, or may not. Belongs to the device's
 * loop.
 */
record DiscChanges(
        DeviceConfig config,
        OpticalDriveConfig drive,
        QueuedDevice device,
        OpticalDrive burner,
        QueueFile queueFile) {
    void watch() {
        burner.whenDiscChanges(this::changed);
    }

    private void changed() {
        DiscConfig before = config.disc().orElseThrow();
        DiscConfig now =
                new DiscConfig(
                        Discs.configState(burner.discState()),
                        before.packetBytes(),
                        before.writer());
        Optional<OpenRefusal> refusal = Optional.empty();
        if (device.machine() instanceof PacketWriter writer) {
            refusal = Discs.opened(config, drive, now, now.writer().orElseThrow()).refusal();
            writer.setRefusal(refusal);
        }
        boolean isReadOnly = config.readOnly() || refusal.isPresent();
        device.setReadOnly(isReadOnly);
        queueFile.readOnly(isReadOnly);
    }
}
