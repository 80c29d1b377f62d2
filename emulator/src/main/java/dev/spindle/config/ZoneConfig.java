package dev.spindle.config;

/**
 * A run of cylinders with the same number of sectors (of 512 bytes) on every track.
 *
 * @param trackSkewSectors how far sector 0 lies behind that of the track before it, same cylinder
 * @param cylinderSkewSectors the same, from the last track of one cylinder to the first of the next
 * @param gapCylinders unused before it
 * @param offsetSectors how far its first sector lies behind the index mark
 * @param emptySectors kept by the drive for itself at its beginning
 */
public record ZoneConfig(
        int cylinders,
        int sectorsPerTrack,
        double trackSkewSectors,
        double cylinderSkewSectors,
        int gapCylinders,
        double offsetSectors,
        int emptySectors,
        SparesConfig spares) {
    public ZoneConfig {
        Checks.requireRange("cylinders", cylinders, 1, Integer.MAX_VALUE);
        Checks.requireRange("sectors_per_track", sectorsPerTrack, 1, Integer.MAX_VALUE);
        Checks.require(trackSkewSectors >= 0 && trackSkewSectors < sectorsPerTrack, "track_skew");
        Checks.require(
                cylinderSkewSectors >= 0 && cylinderSkewSectors < sectorsPerTrack, "cylinder_skew");
    }

    /** A zone without spares. */
    public ZoneConfig(
            int cylinders,
            int sectorsPerTrack,
            double trackSkewSectors,
            double cylinderSkewSectors) {
        this(
                cylinders,
                sectorsPerTrack,
                trackSkewSectors,
                cylinderSkewSectors,
                0,
                0,
                0,
                SparesConfig.NONE);
    }
}
