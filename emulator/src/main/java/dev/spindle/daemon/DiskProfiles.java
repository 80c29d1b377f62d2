package dev.spindle.daemon;

import dev.spindle.config.BusConfig;
import dev.spindle.config.CacheConfig;
import dev.spindle.config.DefectUnit;
import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.HeadOrderKind;
import dev.spindle.config.OverheadConfig;
import dev.spindle.config.ReadAheadScope;
import dev.spindle.config.SeekConfig;
import dev.spindle.config.SeekCurveConfig;
import dev.spindle.config.SeekPointConfig;
import dev.spindle.config.SeekTableConfig;
import dev.spindle.config.SparesConfig;
import dev.spindle.config.ZoneConfig;
import dev.spindle.drive.disk.Bus;
import dev.spindle.drive.disk.Cache;
import dev.spindle.drive.disk.Defects;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.HeadOrder;
import dev.spindle.drive.disk.Overhead;
import dev.spindle.drive.disk.ReadAheadRule;
import dev.spindle.drive.disk.SeekCurve;
import dev.spindle.drive.disk.Sparing;
import dev.spindle.drive.disk.Zone;
import java.util.ArrayList;
import java.util.List;

/** A disk's configuration as the parameters of its mechanics. */
public final class DiskProfiles {
    private DiskProfiles() {}

    public static DiskProfile of(DiskDriveConfig config) {
        return new DiskProfile(
                config.rpm(),
                config.heads(),
                headOrder(config.headOrder()),
                config.zones().stream().map(DiskProfiles::zone).toList(),
                seek(config.seek(), cylinders(config.zones())),
                config.headSwitchNs(),
                config.writeSettleNs(),
                overhead(config.overhead()),
                bus(config.bus()),
                cache(config.cache()));
    }

    private static HeadOrder headOrder(HeadOrderKind order) {
        return switch (order) {
            case ASCENDING -> HeadOrder.ASCENDING;
            case SERPENTINE_IN_ZONE -> HeadOrder.SERPENTINE_IN_ZONE;
            case SERPENTINE_ON_DISK -> HeadOrder.SERPENTINE_ON_DISK;
        };
    }

    private static Zone zone(ZoneConfig config) {
        SparesConfig spares = config.spares();
        List<Defects.Remap> remaps = new ArrayList<>();
        for (int i = 0; i < spares.remaps().size(); i += 2) {
            remaps.add(new Defects.Remap(spares.remaps().get(i), spares.remaps().get(i + 1)));
        }
        int unit = spares.unit() == DefectUnit.TRACK ? config.sectorsPerTrack() : 1;
        return new Zone(
                config.gapCylinders(),
                config.cylinders(),
                config.sectorsPerTrack(),
                config.trackSkewSectors(),
                config.cylinderSkewSectors(),
                config.offsetSectors(),
                config.emptySectors(),
                new Sparing(
                        spares.groupTracks(),
                        spares.sectors(),
                        spares.isAtFront(),
                        spares.slipsReachOn(),
                        spares.slipsTurn()),
                new Defects(unit, spares.slips(), remaps));
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

    private static Overhead overhead(OverheadConfig config) {
        OverheadConfig.CommandNs read = config.afterRead();
        OverheadConfig.CommandNs write = config.afterWrite();
        return new Overhead(
                new Overhead.After(read.readHitNs(), write.readHitNs()),
                new Overhead.After(read.readMissNs(), write.readMissNs()),
                new Overhead.After(read.writeHitNs(), write.writeHitNs()),
                new Overhead.After(read.writeMissNs(), write.writeMissNs()),
                config.readDoneNs(),
                config.writeDoneNs(),
                config.leastReadMoveNs(),
                config.leastWriteMoveNs());
    }

    private static Bus bus(BusConfig config) {
        BusConfig.ExtraReleaseConfig extra = config.extra();
        return new Bus(
                512e9 / config.readBytesPerSecond(),
                512e9 / config.writeBytesPerSecond(),
                config.readWatermark(),
                config.prepareNs(),
                config.reselectNs(),
                new Overhead.After(config.readReleaseNs(), config.readReleaseAfterWriteNs()),
                config.writeReleaseNs(),
                new Bus.ExtraRelease(
                        extra.isDone(),
                        extra.commandNs(),
                        extra.releaseNs(),
                        extra.awayNs(),
                        extra.secondReleaseNs(),
                        extra.reselectNs(),
                        extra.moveDelayNs()));
    }

    private static Cache cache(CacheConfig config) {
        CacheConfig.ReadAheadConfig ahead = config.ahead();
        CacheConfig.WritesConfig writes = config.writes();
        return new Cache(
                config.segments(),
                (int) (config.sizeBytes() / config.segments() / 512),
                new Cache.Writes(
                        writes.sizeBytes() / 512,
                        config.writeBack(),
                        writes.goesFirst(),
                        writes.takesSegment(),
                        writes.dropsReads(),
                        writes.servesReads()),
                new ReadAheadRule(
                        scope(ahead.scope()),
                        ahead.leastSectors(),
                        ahead.mostSectors(),
                        ahead.overRequested(),
                        ahead.onHit(),
                        ahead.almostHits(),
                        ahead.fromLanding(),
                        ahead.wholeTrack(),
                        ahead.stopsInSector()));
    }

    private static ReadAheadRule.Scope scope(ReadAheadScope scope) {
        return switch (scope) {
            case NOTHING -> ReadAheadRule.Scope.NOTHING;
            case SEGMENT -> ReadAheadRule.Scope.SEGMENT;
            case TRACK -> ReadAheadRule.Scope.TRACK;
            case CYLINDER -> ReadAheadRule.Scope.CYLINDER;
            case NEXT_TRACK -> ReadAheadRule.Scope.NEXT_TRACK;
        };
    }
}
