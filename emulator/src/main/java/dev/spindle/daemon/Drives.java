package dev.spindle.daemon;

import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.DriveConfig;
import dev.spindle.config.NullDriveConfig;
import dev.spindle.config.OverheadConfig;
import dev.spindle.config.SeekConfig;
import dev.spindle.config.SeekCurveConfig;
import dev.spindle.config.SeekPointConfig;
import dev.spindle.config.SeekTableConfig;
import dev.spindle.config.ZoneConfig;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.NullDrive;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.drive.disk.SeekCurve;
import dev.spindle.drive.disk.Zone;
import java.util.List;

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
        IdeDisk disk = new IdeDisk(profile(config), capacityBytes, mover);
        disk.apply(new DriveSettings(config.cache().readAhead(), config.cache().writeBack()));
        return disk;
    }

    static DiskProfile profile(DiskDriveConfig config) {
        OverheadConfig overhead = config.overhead();
        return new DiskProfile(
                config.rpm(),
                config.heads(),
                config.zones().stream().map(Drives::zone).toList(),
                seek(config.seek(), cylinders(config.zones())),
                config.headSwitchNs(),
                config.writeSettleNs(),
                new DiskProfile.Overhead(
                        overhead.readHitNs(),
                        overhead.readMissNs(),
                        overhead.writeHitNs(),
                        overhead.writeMissNs()),
                config.busBytesPerSecond(),
                new DiskProfile.Cache(config.cache().sizeBytes(), config.cache().segments()));
    }

    private static Zone zone(ZoneConfig config) {
        return new Zone(
                config.cylinders(),
                config.sectorsPerTrack(),
                config.trackSkewSectors(),
                config.cylinderSkewSectors());
    }

    private static int cylinders(List<ZoneConfig> zones) {
        return Math.toIntExact(zones.stream().mapToLong(ZoneConfig::cylinders).sum());
    }

    private static SeekCurve seek(SeekConfig config, int strokeCylinders) {
        return switch (config) {
            case SeekCurveConfig(long trackToTrackNs, long averageNs, long fullStrokeNs) ->
                    SeekCurve.ofDataSheet(trackToTrackNs, averageNs, fullStrokeNs, strokeCylinders);
            case SeekTableConfig(List<SeekPointConfig> points) ->
                    SeekCurve.ofTable(
                            points.stream().mapToInt(SeekPointConfig::cylinders).toArray(),
                            points.stream().mapToLong(SeekPointConfig::timeNs).toArray());
        };
    }
}
