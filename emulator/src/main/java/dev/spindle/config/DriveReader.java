package dev.spindle.config;

import java.util.Optional;

/** Reads one section of {@code drives}. */
final class DriveReader {
    /** What every kind of drive has. */
    record Common(String model, int logicalBytes, int physicalBytes, int maxHwSectorsKb) {}

    private final String profile;
    private final Section drive;

    DriveReader(String profile, Section drive) {
        this.profile = profile;
        this.drive = drive;
    }

    DriveProfile read() {
        int before = drive.faults();
        DriveKind kind = drive.read(Keys.DRIVE_KIND);
        boolean isKindKnown = drive.faults() == before;
        Common common = common();
        Section queue = drive.child("queue");
        QueueReader.checkAlone(queue, common.maxHwSectorsKb);
        if (!isKindKnown) {
            return new DriveProfile(Optional.empty(), queue);
        }
        Optional<DriveConfig> config =
                switch (kind) {
                    case DISK -> DiskReader.read(drive, common, profile, before).map(disk -> disk);
                    case NULL -> nullDrive(common, before);
                };
        return new DriveProfile(config, queue);
    }

    private Common common() {
        String model =
                drive.find(Keys.MODEL)
                        .orElseGet(() -> drive.recordDefault(Keys.MODEL, shortened(profile)));
        long logical = drive.read(Keys.LOGICAL_BLOCK);
        long physical =
                drive.find(Keys.PHYSICAL_BLOCK)
                        .orElseGet(() -> drive.recordDefault(Keys.PHYSICAL_BLOCK, logical));
        requirePowerOfTwo(Keys.LOGICAL_BLOCK, logical);
        requirePowerOfTwo(Keys.PHYSICAL_BLOCK, physical);
        if (physical < logical) {
            drive.problem(
                    Keys.PHYSICAL_BLOCK.name(),
                    Keys.PHYSICAL_BLOCK.type().render(physical)
                            + " is less than logical_block = "
                            + Keys.LOGICAL_BLOCK.type().render(logical));
        }
        int maxHwSectorsKb = drive.read(Keys.MAX_HW_SECTORS_KB);
        return new Common(
                model, Math.toIntExact(logical), Math.toIntExact(physical), maxHwSectorsKb);
    }

    private static String shortened(String profile) {
        return profile.substring(0, Math.min(40, profile.length()));
    }

    private void requirePowerOfTwo(Key<Long> key, long bytes) {
        if (Long.bitCount(bytes) != 1) {
            drive.problem(
                    key.name(),
                    key.type().render(bytes)
                            + " is not a power of two, allowed "
                            + key.type().allowed());
        }
    }

    private Optional<DriveConfig> nullDrive(Common common, int before) {
        drive.refuse("belongs to kind = disk", DiskReader.KEYS);
        return drive.ifSound(
                before,
                () ->
                        new NullDriveConfig(
                                profile,
                                common.model,
                                common.logicalBytes,
                                common.physicalBytes,
                                common.maxHwSectorsKb));
    }
}
