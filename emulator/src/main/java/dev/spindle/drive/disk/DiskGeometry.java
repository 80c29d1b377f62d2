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
    private final HeadOrder order;
    private final ZoneLayout[] zones;
    private final long[] firstSectors;
    private final long[] firstCylinders;
    private final long naturalCylinders;
    private final int scale;
    private final long sectors;

    public DiskGeometry(int heads, List<Zone> zones, long neededSectors) {
        this(heads, HeadOrder.ASCENDING, zones, neededSectors);
    }

    public DiskGeometry(int heads, HeadOrder order, List<Zone> zones, long neededSectors) {
        if (heads < 1 || zones.isEmpty()) {
            throw new IllegalArgumentException(
                    "geometry: heads="
                            + heads
                            + " zones="
                            + zones.size()
                            + " needs at least one of each");
        }
        this.heads = heads;
        this.order = order;
        scale = scaleFor(heads, zones, neededSectors);
        this.zones = new ZoneLayout[zones.size()];
        firstSectors = new long[zones.size()];
        firstCylinders = new long[zones.size()];
        long sector = 0;
        long cylinder = 0;
        for (int i = 0; i < this.zones.length; i++) {
            Zone zone = zones.get(i);
            this.zones[i] = new ZoneLayout(zone, heads, scale);
            firstSectors[i] = sector;
            firstCylinders[i] = cylinder + (long) zone.gapCylinders() * scale;
            sector += this.zones[i].sectors();
            cylinder = firstCylinders[i] + (long) zone.cylinders() * scale;
        }
        sectors = sector;
        naturalCylinders = cylinder / scale;
    }

    /** How many times as many cylinders are needed; what a zone keeps for itself does not grow. */
    private static int scaleFor(int heads, List<Zone> zones, long neededSectors) {
        long natural = 0;
        long physical = 0;
        for (Zone zone : zones) {
            natural += new ZoneLayout(zone, heads, 1).sectors();
            physical += (long) zone.cylinders() * heads * zone.sectorsPerTrack();
        }
        long scale = Math.max(1, (neededSectors + natural - 1) / natural);
        assert physical >= natural;
        return Math.toIntExact(scale);
    }

    public long sectors() {
        return sectors;
    }

    /** Cylinders of the drive that is copied. */
    public long naturalCylinders() {
        return naturalCylinders;
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
        zones[i].locate(sector - firstSectors[i], into);
        boolean isBackwards =
                switch (order) {
                    case ASCENDING -> false;
                    case SERPENTINE_IN_ZONE -> (into.cylinder & 1) != 0;
                    case SERPENTINE_ON_DISK -> (into.cylinder + firstCylinders[i] & 1) != 0;
                };
        into.cylinder += firstCylinders[i];
        if (isBackwards) {
            into.head = heads - 1 - into.head;
        }
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

        /** On its track, counted from the track's beginning. */
        int sector;

        /** Of its beginning, as a fraction of a revolution, 0 to 1. */
        double angle;

        int sectorsPerTrack;

        /** Addresses from this one to the end of the track. */
        int sectorsToTrackEnd;

        /** Addresses on the track before this one. */
        int sectorsFromTrackStart;

        /** Addresses from this one on that pass one after the other, with no bad sector between. */
        int runSectors;
    }
}
