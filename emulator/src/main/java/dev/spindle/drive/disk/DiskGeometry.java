package dev.spindle.drive.disk;

import java.util.List;

/**
 * Where each sector lies: cylinder, head, and the angle at which its track passes under the head.
 * Sectors are laid along a track, then over the heads of a cylinder, then cylinder by cylinder
 * inwards from the outer edge; each change of track or cylinder moves the first sector back by the
 * zone's skew, so that it arrives just after the change is done.
 *
 * <p>A device larger than the drive it copies gets more cylinders in every zone; {@link
 * #strokeScale} says by how much, and seeks are timed over the original's distance.
 */
public final class DiskGeometry {
    private final int heads;
    private final Zone[] zones;
    private final long[] firstSectors;
    private final long[] firstCylinders;
    private final double[] firstAngles;
    private final int scale;
    private final long sectors;

    public DiskGeometry(int heads, List<Zone> zones, long neededSectors) {
        if (heads < 1 || zones.isEmpty()) {
            throw new IllegalArgumentException(
                    "geometry: heads="
                            + heads
                            + " zones="
                            + zones.size()
                            + " needs at least one of each");
        }
        this.heads = heads;
        long natural = zones.stream().mapToLong(zone -> zone.sectors(heads)).sum();
        scale = Math.toIntExact(Math.max(1, (neededSectors + natural - 1) / natural));
        this.zones = zones.toArray(Zone[]::new);
        firstSectors = new long[zones.size()];
        firstCylinders = new long[zones.size()];
        firstAngles = new double[zones.size()];
        long sector = 0;
        long cylinder = 0;
        double angle = 0;
        for (int i = 0; i < this.zones.length; i++) {
            Zone zone = this.zones[i];
            firstSectors[i] = sector;
            firstCylinders[i] = cylinder;
            firstAngles[i] = angle % 1.0;
            long cylinders = (long) zone.cylinders() * scale;
            sector += zone.sectors(heads) * scale;
            cylinder += cylinders;
            double skewSectors =
                    (double) cylinders
                            * ((long) (heads - 1) * zone.trackSkewSectors()
                                    + zone.cylinderSkewSectors());
            angle = firstAngles[i] + skewSectors / zone.sectorsPerTrack();
        }
        sectors = sector;
    }

    public long sectors() {
        return sectors;
    }

    /** Cylinders of the drive that is copied. */
    public long naturalCylinders() {
        Zone last = zones[zones.length - 1];
        return (firstCylinders[zones.length - 1] + (long) last.cylinders() * scale) / scale;
    }

    public int strokeScale() {
        return scale;
    }

    /**
     * Fills in where a sector lies; the position is reused by its owner, so that looking costs no
     * memory.
     */
    void locate(long sector, Position into) {
        int i = zoneOf(sector);
        Zone zone = zones[i];
        long within = sector - firstSectors[i];
        long track = within / zone.sectorsPerTrack();
        int sectorOfTrack = (int) (within % zone.sectorsPerTrack());
        long cylinder = track / heads;
        double skew =
                (double) (track - cylinder) * zone.trackSkewSectors()
                        + (double) cylinder * zone.cylinderSkewSectors();
        double angle = firstAngles[i] + (skew + sectorOfTrack) / zone.sectorsPerTrack();
        into.cylinder = firstCylinders[i] + cylinder;
        into.head = (int) (track % heads);
        into.angle = angle - Math.floor(angle);
        into.sectorsPerTrack = zone.sectorsPerTrack();
        into.sectorsToTrackEnd = zone.sectorsPerTrack() - sectorOfTrack;
    }

    private int zoneOf(long sector) {
        int low = 0;
        int high = zones.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstSectors[middle] <= sector) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Where a sector lies. */
    static final class Position {
        long cylinder;
        int head;

        /** Of its beginning, as a fraction of a revolution, 0 to 1. */
        double angle;

        int sectorsPerTrack;
        int sectorsToTrackEnd;
    }
}
