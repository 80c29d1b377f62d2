package dev.spindle.config;

import java.util.List;
import java.util.Optional;

/** Reads what a drive of kind disk has beside what every drive has. */
final class DiskReader {
    /** Belongs to disks, and to no other kind. */
    static final String[] KEYS = {
        "rpm",
        "heads",
        "head_order",
        "zones",
        "seek",
        "head_switch",
        "write_settle",
        "overhead",
        "bus_rate",
        "bus",
        "cache"
    };

    private DiskReader() {}

    static Optional<DiskDriveConfig> read(
            Section drive, DriveReader.Common common, String profile, int before) {
        int rpm = drive.read(DiskKeys.RPM);
        int heads = drive.read(DiskKeys.HEADS);
        HeadOrderKind order = drive.read(DiskKeys.HEAD_ORDER);
        List<ZoneConfig> zones = drive.elements("zones", DiskReader::zone);
        Optional<SeekConfig> seek = SeekReader.read(drive);
        long headSwitchNs = drive.read(DiskKeys.HEAD_SWITCH);
        long writeSettleNs = drive.read(DiskKeys.WRITE_SETTLE);
        OverheadConfig overhead = overhead(drive.child("overhead"));
        BusConfig bus = bus(drive.read(DiskKeys.BUS_RATE), drive.child("bus"));
        Optional<CacheConfig> cache = cache(drive.child("cache"), common.logicalBytes());
        return drive.ifSound(
                before,
                () ->
                        new DiskDriveConfig(
                                profile,
                                common.model(),
                                common.logicalBytes(),
                                common.physicalBytes(),
                                common.maxHwSectorsKb(),
                                rpm,
                                heads,
                                order,
                                zones,
                                seek.orElseThrow(),
                                headSwitchNs,
                                writeSettleNs,
                                overhead,
                                bus,
                                cache.orElseThrow()));
    }

    private static Optional<ZoneConfig> zone(Section zone) {
        int before = zone.faults();
        int cylinders = zone.read(DiskKeys.ZONE_CYLINDERS);
        int sectors = zone.read(DiskKeys.SECTORS_PER_TRACK);
        double trackSkew = skew(zone, DiskKeys.TRACK_SKEW, sectors);
        double cylinderSkew = skew(zone, DiskKeys.CYLINDER_SKEW, sectors);
        int gap = zone.read(DiskKeys.GAP);
        double offset = zone.read(DiskKeys.OFFSET);
        int empty = zone.read(DiskKeys.EMPTY);
        Optional<SparesConfig> spares = spares(zone);
        return zone.ifSound(
                before,
                () ->
                        new ZoneConfig(
                                cylinders,
                                sectors,
                                trackSkew,
                                cylinderSkew,
                                gap,
                                offset,
                                empty,
                                spares.orElseThrow()));
    }

    private static double skew(Section zone, Key<Double> key, int sectors) {
        int before = zone.faults();
        double skew = zone.read(key);
        if (zone.faults() == before && skew >= sectors) {
            zone.problem(
                    key.name(),
                    key.type().render(skew)
                            + " is out of range, allowed less than sectors_per_track = "
                            + sectors);
        }
        return skew;
    }

    private static Optional<SparesConfig> spares(Section zone) {
        int before = zone.faults();
        int group = zone.read(DiskKeys.SPARE_GROUP);
        int spares = zone.read(DiskKeys.SPARES);
        boolean isAtFront = zone.read(DiskKeys.SPARES_AT_FRONT);
        boolean slipsReachOn = zone.read(DiskKeys.SLIPS_REACH_ON);
        boolean slipsTurn = zone.read(DiskKeys.SLIPS_TURN);
        DefectUnit unit = zone.read(DiskKeys.DEFECT_UNIT);
        List<Integer> slips = zone.read(DiskKeys.SLIPS);
        List<Integer> remaps = zone.read(DiskKeys.REMAPS);
        for (int i = 1; i < slips.size(); i++) {
            if (slips.get(i) <= slips.get(i - 1)) {
                zone.problem(DiskKeys.SLIPS.name(), slips.get(i) + " does not ascend");
            }
        }
        if (remaps.size() % 2 != 0) {
            zone.problem(DiskKeys.REMAPS.name(), remaps.size() + " numbers are not pairs");
        }
        return zone.ifSound(
                before,
                () ->
                        new SparesConfig(
                                group,
                                spares,
                                isAtFront,
                                slipsReachOn,
                                slipsTurn,
                                unit,
                                slips,
                                remaps));
    }

    private static OverheadConfig overhead(Section overhead) {
        long readHit = overhead.read(DiskKeys.READ_HIT);
        long readMiss = overhead.read(DiskKeys.READ_MISS);
        long writeHit = overhead.read(DiskKeys.WRITE_HIT);
        long writeMiss = overhead.read(DiskKeys.WRITE_MISS);
        return new OverheadConfig(
                new OverheadConfig.CommandNs(readHit, readMiss, writeHit, writeMiss),
                new OverheadConfig.CommandNs(
                        orElse(overhead, DiskKeys.READ_HIT_AFTER_WRITE, readHit),
                        orElse(overhead, DiskKeys.READ_MISS_AFTER_WRITE, readMiss),
                        orElse(overhead, DiskKeys.WRITE_HIT_AFTER_WRITE, writeHit),
                        orElse(overhead, DiskKeys.WRITE_MISS_AFTER_WRITE, writeMiss)),
                overhead.read(DiskKeys.READ_DONE),
                overhead.read(DiskKeys.WRITE_DONE),
                overhead.read(DiskKeys.LEAST_READ_MOVE),
                overhead.read(DiskKeys.LEAST_WRITE_MOVE));
    }

    private static long orElse(Section section, Key<Long> key, long otherwise) {
        return section.find(key).orElseGet(() -> section.recordDefault(key, otherwise));
    }

    private static BusConfig bus(long rate, Section bus) {
        long readRelease = bus.read(DiskKeys.READ_RELEASE);
        return new BusConfig(
                rate,
                orElse(bus, DiskKeys.WRITE_RATE, rate),
                bus.read(DiskKeys.READ_WATERMARK),
                bus.read(DiskKeys.PREPARE),
                bus.read(DiskKeys.RESELECT),
                readRelease,
                orElse(bus, DiskKeys.READ_RELEASE_AFTER_WRITE, readRelease),
                bus.read(DiskKeys.WRITE_RELEASE),
                new BusConfig.ExtraReleaseConfig(
                        bus.read(DiskKeys.EXTRA_RELEASE),
                        bus.read(DiskKeys.EXTRA_COMMAND),
                        bus.read(DiskKeys.EXTRA_LET_GO),
                        bus.read(DiskKeys.EXTRA_AWAY),
                        bus.read(DiskKeys.EXTRA_SECOND),
                        bus.read(DiskKeys.EXTRA_RESELECT),
                        bus.read(DiskKeys.EXTRA_MOVE_DELAY)));
    }

    private static Optional<CacheConfig> cache(Section cache, int logicalBytes) {
        int before = cache.faults();
        long size = cache.read(DiskKeys.CACHE_SIZE);
        int segments = cache.read(DiskKeys.SEGMENTS);
        boolean readAhead = cache.read(DiskKeys.READ_AHEAD);
        boolean writeBack = cache.read(DiskKeys.WRITE_BACK);
        CacheConfig.ReadAheadConfig ahead =
                new CacheConfig.ReadAheadConfig(
                        cache.read(DiskKeys.SCOPE),
                        cache.read(DiskKeys.LEAST_AHEAD),
                        cache.read(DiskKeys.MOST_AHEAD),
                        cache.read(DiskKeys.OVER_REQUESTED),
                        cache.read(DiskKeys.AHEAD_ON_HIT),
                        cache.read(DiskKeys.ALMOST_HITS),
                        cache.read(DiskKeys.FROM_LANDING),
                        cache.read(DiskKeys.WHOLE_TRACK),
                        cache.read(DiskKeys.STOPS_IN_SECTOR));
        CacheConfig.WritesConfig writes =
                new CacheConfig.WritesConfig(
                        orElse(cache, DiskKeys.WRITE_SIZE, size / 2),
                        cache.read(DiskKeys.WRITES_FIRST),
                        cache.read(DiskKeys.WRITES_TAKE_SEGMENT),
                        cache.read(DiskKeys.WRITES_DROP_READS),
                        cache.read(DiskKeys.WRITES_SERVE_READS));
        if (cache.faults() == before && size > 0 && size / segments < logicalBytes) {
            cache.problem(
                    DiskKeys.SEGMENTS.name(),
                    segments
                            + " segments of a cache of "
                            + DiskKeys.CACHE_SIZE.type().render(size)
                            + " do not hold one logical block each");
        }
        return cache.ifSound(
                before, () -> new CacheConfig(size, segments, readAhead, writeBack, ahead, writes));
    }
}
