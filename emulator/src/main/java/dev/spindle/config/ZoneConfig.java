package dev.spindle.config;

/**
 * A run of cylinders with the same number of sectors (of 512 bytes) on every track.
 *
 * @param trackSkewSectors how far sector 0 lies behind that of the track before it, same cylinder
 * @param cylinderSkewSectors the same, from the last track of one cylinder to the first of the next
 */
public record ZoneConfig(
        int cylinders, int sectorsPerTrack, int trackSkewSectors, int cylinderSkewSectors) {
    public ZoneConfig {
        Checks.requireRange("cylinders", cylinders, 1, Integer.MAX_VALUE);
        Checks.requireRange("sectors_per_track", sectorsPerTrack, 1, Integer.MAX_VALUE);
        Checks.requireRange("track_skew", trackSkewSectors, 0, sectorsPerTrack - 1);
        Checks.requireRange("cylinder_skew", cylinderSkewSectors, 0, sectorsPerTrack - 1);
    }
}
