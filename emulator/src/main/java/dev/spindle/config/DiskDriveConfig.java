package dev.spindle.config;

import java.util.List;

/**
 * A hard disk with its mechanics.
 *
 * @param zones from the outer edge inwards
 * @param headSwitchNs from one track of a cylinder to the next
 * @param writeSettleNs added before a write where the heads have moved or switched
 */
public record DiskDriveConfig(
        String profile,
        String model,
        int logicalBlockBytes,
        int physicalBlockBytes,
        int maxHwSectorsKb,
        int rpm,
        int heads,
        HeadOrderKind headOrder,
        List<ZoneConfig> zones,
        SeekConfig seek,
        long headSwitchNs,
        long writeSettleNs,
        OverheadConfig overhead,
        BusConfig bus,
        CacheConfig cache)
        implements DriveConfig {
    public DiskDriveConfig {
        zones = List.copyOf(zones);
        Checks.require(!zones.isEmpty(), "no zones");
        Checks.requireRange("rpm", rpm, 1, Integer.MAX_VALUE);
        Checks.requireRange("heads", heads, 1, Integer.MAX_VALUE);
    }

    /** What the geometry holds, whatever a device makes of it. */
    public long naturalBytes() {
        return zones.stream()
                .mapToLong(zone -> 512L * zone.cylinders() * heads * zone.sectorsPerTrack())
                .sum();
    }
}
