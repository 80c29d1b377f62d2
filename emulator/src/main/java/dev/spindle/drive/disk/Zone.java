package dev.spindle.drive.disk;

/**
 * A band of cylinders with the same number of sectors on each track.
 *
 * @param gapCylinders unused cylinders before it
 * @param cylinders how many
 * @param sectorsPerTrack sectors on a track
 * @param trackSkewSectors how far the first sector lies behind that of the track before it, on the
 *     same cylinder
 * @param cylinderSkewSectors the same across a change of cylinder
 * @param offsetSectors how far its first sector lies behind the index mark
 * @param emptySectors kept by the drive for itself at its beginning
 * @param sparing where spare sectors lie
 * @param defects what of it is bad
 */
public record Zone(
        int gapCylinders,
        int cylinders,
        int sectorsPerTrack,
        double trackSkewSectors,
        double cylinderSkewSectors,
        double offsetSectors,
        long emptySectors,
        Sparing sparing,
        Defects defects) {
    public Zone {
        requireAtLeast("gap cylinders", gapCylinders, 0);
        requireAtLeast("cylinders", cylinders, 1);
        requireAtLeast("sectors per track", sectorsPerTrack, 1);
        requireAtLeast("track skew", trackSkewSectors, 0);
        requireAtLeast("cylinder skew", cylinderSkewSectors, 0);
        requireAtLeast("offset", offsetSectors, 0);
        requireAtLeast("empty sectors", (double) emptySectors, 0);
    }

    /** A zone with neither spares nor defects. */
    public Zone(
            int cylinders,
            int sectorsPerTrack,
            double trackSkewSectors,
            double cylinderSkewSectors) {
        this(
                0,
                cylinders,
                sectorsPerTrack,
                trackSkewSectors,
                cylinderSkewSectors,
                0,
                0,
                Sparing.NONE,
                Defects.NONE);
    }

    private static void requireAtLeast(String what, double value, int least) {
        if (!(value >= least)) {
            boolean isWhole = value == Math.rint(value);
            throw new IllegalArgumentException(
                    "zone: "
                            + what
                            + "="
                            + (isWhole ? Long.toString((long) value) : Double.toString(value))
                            + " is less than "
                            + least);
        }
    }
}
