package dev.spindle.daemon;

import dev.spindle.config.DeviceConfig;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.packet.PacketDisc;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.shm.QueueFile;

/**
 * What follows from a disc that has been formatted, blanked or finalised: the packet writer opens
 * it anew, and those who connect from then on may write it, or may not. Belongs to the device's
 * loop.
 */
record DiscChanges(
        DeviceConfig config, QueuedDevice device, OpticalDrive burner, QueueFile queueFile) {
    void watch() {
        burner.whenDiscChanges(this::changed);
    }

    private void changed() {
        DeviceConfig now = config.withDisc(Discs.configState(burner.discState()));
        if (device.machine() instanceof PacketWriter writer) {
            writer.setRefusal(DeviceStack.disc(now).flatMap(PacketDisc::refusal));
        }
        DeviceIdentity identity = LiveDevice.identity(now);
        device.setIdentity(identity);
        queueFile.readOnly(identity.isReadOnly());
    }
}
