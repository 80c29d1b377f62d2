package dev.spindle.daemon;

import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.DriveConfig;
import dev.spindle.config.NullDriveConfig;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.NullDrive;
import dev.spindle.drive.disk.IdeDisk;

/** Makes the drive that a profile describes. */
public final class Drives {
    private Drives() {}

    public static Drive open(DriveConfig config, long capacityBytes, DataMover mover) {
        return switch (config) {
            case NullDriveConfig _ -> new NullDrive(mover);
            case DiskDriveConfig disk -> disk(disk, capacityBytes, mover);
        };
    }

    static boolean isRotational(DriveConfig config) {
        return switch (config) {
            case NullDriveConfig _ -> false;
            case DiskDriveConfig _ -> true;
        };
    }

    private static Drive disk(DiskDriveConfig config, long capacityBytes, DataMover mover) {
        IdeDisk disk = new IdeDisk(DiskProfiles.of(config), capacityBytes, mover);
        disk.apply(new DriveSettings(config.cache().readAhead(), config.cache().writeBack()));
        return disk;
    }
}
