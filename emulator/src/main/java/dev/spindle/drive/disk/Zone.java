package dev.spindle.drive.disk;

/**
 * A band of cylinders with the same number of sectors on each track.
 *
 * @param cylinders how many
 * @param sectorsPerTrack sectors on a track
 * @param trackSkewSectors how far the first sector lies behind that of the track before it, on the
 *     same cylinder
 * @param cylinderSkewSectors the same across a change of cylinder
 */
public record Zone(
        int cylinders, int sectorsPerTrack, int trackSkewSectors, int cylinderSkewSectors) {
    public Zone {
        requireAtLeast("cylinders", cylinders, 1);
        requireAtLeast("sectors per track", sectorsPerTrack, 1);
        requireAtLeast("track skew", trackSkewSectors, 0);
        requireAtLeast("cylinder skew", cylinderSkewSectors, 0);
    }

    private static void requireAtLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "zone: " + what + "=" + value + " is less than " + least);
        }
    }

    long sectors(int heads) {
        return (long) cylinders * heads * sectorsPerTrack;
    }
}
