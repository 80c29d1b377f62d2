package dev.spindle.config;

import java.util.Optional;

/**
 * One device.
 *
 * @param name also its NBD export name
 * @param path where programs under the shim find it
 * @param sizeBytes a multiple of the drive's logical block; where it is more than the geometry of a
 *     disk holds, the disk is stretched; where less, the device lies at the outer edge
 * @param disc what is in the drive, if it is an optical one
 * @param clock how its time passes
 */
public record DeviceConfig(
        String name,
        Optional<String> description,
        String path,
        long sizeBytes,
        boolean readOnly,
        StoreConfig store,
        QueueConfig queue,
        DriveConfig drive,
        Optional<DiscConfig> disc,
        ClockConfig clock) {
    public DeviceConfig {
        Checks.requireRange("size", sizeBytes, drive.logicalBlockBytes(), Long.MAX_VALUE);
        Checks.require(
                sizeBytes % drive.logicalBlockBytes() == 0, "size is no multiple of the block");
        Checks.requireRange("max_sectors_kb", queue.maxSectorsKb(), 4, drive.maxHwSectorsKb());
    }

    /** The same with its disc in another state. */
    public DeviceConfig withDisc(DiscState state) {
        return new DeviceConfig(
                name,
                description,
                path,
                sizeBytes,
                readOnly,
                store,
                queue,
                drive,
                disc.map(before -> new DiscConfig(state, before.packetBytes(), before.writer())),
                clock);
    }
}
