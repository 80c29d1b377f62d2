package dev.spindle.config;

import java.util.List;
import java.util.Optional;

/** Reads one section of {@code drives}. */
final class DriveReader {
    private static final String[] DISK_ONLY = {
        "rpm",
        "heads",
        "zones",
        "seek",
        "head_switch",
        "write_settle",
        "overhead",
        "bus_rate",
        "cache"
    };

    /** What every kind of drive has. */
    private record Common(String model, int logicalBytes, int physicalBytes, int maxHwSectorsKb) {}

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
        boolean isOptical = isKindKnown && kind == DriveKind.OPTICAL;
        Common common = common(isOptical);
        Section queue = drive.child("queue");
        QueueReader.checkAlone(queue, common.maxHwSectorsKb);
        if (!isKindKnown) {
            return new DriveProfile(Optional.empty(), queue);
        }
        Optional<DriveConfig> config =
                switch (kind) {
                    case DISK -> disk(common, before);
                    case NULL -> nullDrive(common, before);
                    case OPTICAL -> optical(common, before);
                };
        return new DriveProfile(config, queue);
    }

    private Common common(boolean isOptical) {
        String model =
                drive.find(Keys.MODEL)
                        .orElseGet(() -> drive.recordDefault(Keys.MODEL, shortened(profile)));
        if (isOptical) {
            int block = OpticalDriveConfig.BLOCK_BYTES;
            return new Common(model, block, block, drive.read(Keys.MAX_HW_SECTORS_KB));
        }
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
        drive.refuse("belongs to kind = disk", DISK_ONLY);
        drive.refuse("belongs to kind = optical", OpticalReader.DRIVE_ONLY);
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

    private Optional<DriveConfig> optical(Common common, int before) {
        for (String name : DISK_ONLY) {
            if (!name.equals(Keys.BUS_RATE.name())) {
                drive.refuse("belongs to kind = disk", name);
            }
        }
        return OpticalReader.drive(drive, profile, common.model, common.maxHwSectorsKb, before);
    }

    private Optional<DriveConfig> disk(Common common, int before) {
        drive.refuse("belongs to kind = optical", OpticalReader.DRIVE_ONLY);
        int rpm = drive.read(Keys.RPM);
        int heads = drive.read(Keys.HEADS);
        List<ZoneConfig> zones = drive.elements("zones", DriveReader::zone);
        Optional<SeekConfig> seek = SeekReader.read(drive);
        long headSwitchNs = drive.read(Keys.HEAD_SWITCH);
        long writeSettleNs = drive.read(Keys.WRITE_SETTLE);
        OverheadConfig overhead = overhead(drive.child("overhead"));
        long busRate = drive.read(Keys.BUS_RATE);
        Optional<CacheConfig> cache = cache(drive.child("cache"), common.logicalBytes);
        return drive.ifSound(
                before,
                () ->
                        new DiskDriveConfig(
                                profile,
                                common.model,
                                common.logicalBytes,
                                common.physicalBytes,
                                common.maxHwSectorsKb,
                                rpm,
                                heads,
                                zones,
                                seek.orElseThrow(),
                                headSwitchNs,
                                writeSettleNs,
                                overhead,
                                busRate,
                                cache.orElseThrow()));
    }

    private static Optional<ZoneConfig> zone(Section zone) {
        int before = zone.faults();
        int cylinders = zone.read(Keys.ZONE_CYLINDERS);
        int sectors = zone.read(Keys.SECTORS_PER_TRACK);
        int trackSkew = skew(zone, Keys.TRACK_SKEW, sectors);
        int cylinderSkew = skew(zone, Keys.CYLINDER_SKEW, sectors);
        return zone.ifSound(
                before, () -> new ZoneConfig(cylinders, sectors, trackSkew, cylinderSkew));
    }

    private static int skew(Section zone, Key<Integer> key, int sectors) {
        int before = zone.faults();
        int skew = zone.read(key);
        if (zone.faults() == before && skew >= sectors) {
            zone.problem(
                    key.name(),
                    skew + " is out of range, allowed less than sectors_per_track = " + sectors);
        }
        return skew;
    }

    private static OverheadConfig overhead(Section overhead) {
        return new OverheadConfig(
                overhead.read(Keys.READ_HIT),
                overhead.read(Keys.READ_MISS),
                overhead.read(Keys.WRITE_HIT),
                overhead.read(Keys.WRITE_MISS));
    }

    private static Optional<CacheConfig> cache(Section cache, int logicalBytes) {
        int before = cache.faults();
        long size = cache.read(Keys.CACHE_SIZE);
        int segments = cache.read(Keys.SEGMENTS);
        boolean readAhead = cache.read(Keys.READ_AHEAD);
        boolean writeBack = cache.read(Keys.WRITE_BACK);
        if (cache.faults() == before && size > 0 && size / segments < logicalBytes) {
            cache.problem(
                    Keys.SEGMENTS.name(),
                    segments
                            + " segments of a cache of "
                            + Keys.CACHE_SIZE.type().render(size)
                            + " do not hold one logical block each");
        }
        return cache.ifSound(before, () -> new CacheConfig(size, segments, readAhead, writeBack));
    }
}
