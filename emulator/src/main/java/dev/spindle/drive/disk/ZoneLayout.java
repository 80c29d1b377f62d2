package dev.spindle.drive.disk;

import java.util.Arrays;

/**
 * One zone's addresses on its tracks. An address becomes a physical sector in three steps: the
 * empty space at the front is added, then the spares of the groups before it, then the slipped
 * units before it; a remapped unit is looked up last.
 *
 * <p>The slip steps are searches in sorted keys: {@code biteAt[i]} is the first address that slip i
 * moves on.
 */
final class ZoneLayout {
    private final Zone zone;
    private final int heads;
    private final long physicalSectors;
    private final long groupSectors;
    private final long groupData;
    private final long sectors;
    private final long[] slipAt;
    private final long[] biteAt;
    private final long[] badAt;
    private final long[] spareAt;

    ZoneLayout(Zone zone, int heads, int scale) {
        this.zone = zone;
        this.heads = heads;
        Sparing sparing = zone.sparing();
        int unit = zone.defects().unitSectors();
        physicalSectors = (long) zone.cylinders() * scale * heads * zone.sectorsPerTrack();
        groupSectors =
                sparing.groupTracks() == 0
                        ? physicalSectors
                        : (long) sparing.groupTracks() * zone.sectorsPerTrack();
        groupData = groupSectors - sparing.sparesPerGroup();
        slipAt = zone.defects().slips().stream().mapToLong(slip -> (long) slip * unit).toArray();
        long slipped = sparing.slipsReachOn() ? (long) slipAt.length * unit : 0;
        sectors =
                physicalSectors
                        - zone.emptySectors()
                        - physicalSectors / groupSectors * sparing.sparesPerGroup()
                        - slipped;
        if (groupData < 1 || sectors < 1) {
            throw new IllegalArgumentException(
                    "zone of "
                            + physicalSectors
                            + " sectors: spares="
                            + sparing.sparesPerGroup()
                            + " a group and empty="
                            + zone.emptySectors()
                            + " leave nothing");
        }
        biteAt = new long[slipAt.length];
        fillBites(sparing, unit);
        long[][] remaps = sortedRemaps(zone.defects());
        badAt = remaps[0];
        spareAt = remaps[1];
    }

    private void fillBites(Sparing sparing, int unit) {
        int inGroup = 0;
        long group = -1;
        for (int i = 0; i < slipAt.length; i++) {
            long slipGroup = slipAt[i] / groupSectors;
            inGroup = sparing.slipsReachOn() || slipGroup == group ? inGroup : 0;
            group = slipGroup;
            long front = sparing.isAtFront() ? sparing.sparesPerGroup() : 0;
            long within = slipAt[i] % groupSectors - front;
            biteAt[i] = slipGroup * groupData + within - (long) inGroup * unit;
            inGroup++;
        }
    }

    private static long[][] sortedRemaps(Defects defects) {
        var sorted =
                defects.remaps().stream()
                        .sorted((a, b) -> Integer.compare(a.badUnit(), b.badUnit()))
                        .toList();
        long[][] ends = new long[2][sorted.size()];
        for (int i = 0; i < sorted.size(); i++) {
            ends[0][i] = (long) sorted.get(i).badUnit() * defects.unitSectors();
            ends[1][i] = (long) sorted.get(i).spareUnit() * defects.unitSectors();
        }
        return ends;
    }

    /** Addresses in this zone. */
    long sectors() {
        return sectors;
    }

    int sectorsPerTrack() {
        return zone.sectorsPerTrack();
    }

    /** Where an address counted from the zone's first lies; cylinders are the zone's own. */
    void locate(long address, DiskGeometry.Position into) {
        int unit = zone.defects().unitSectors();
        long laid = address + zone.emptySectors();
        if (zone.sparing().slipsReachOn()) {
            laid += (long) countUpTo(biteAt, laid) * unit;
        }
        long group = laid / groupData;
        long within = laid - group * groupData;
        long physical =
                group * groupSectors
                        + within
                        + (zone.sparing().isAtFront() ? zone.sparing().sparesPerGroup() : 0);
        if (slipAt.length > 0 && !zone.sparing().slipsReachOn()) {
            int before = countUpTo(biteAt, group * groupData - 1);
            physical += (long) (countUpTo(biteAt, laid) - before) * unit;
        }
        long left = Math.min(groupData - within, sectors - address);
        place(physical, left, into);
    }

    private void place(long physical, long addressesLeft, DiskGeometry.Position into) {
        int unit = zone.defects().unitSectors();
        int bad = badAt.length == 0 ? -1 : countUpTo(badAt, physical) - 1;
        boolean isRemapped = bad >= 0 && physical < badAt[bad] + unit;
        long at = isRemapped ? physical - badAt[bad] + spareAt[bad] : physical;
        turnTo(at, into);
        long trackEnd = at + zone.sectorsPerTrack() - into.sector;
        long onTrack = trackEnd - at - slippedBetween(at + 1, trackEnd);
        into.sectorsToTrackEnd = (int) Math.min(onTrack, addressesLeft);
        long run = isRemapped ? unit - (physical - badAt[bad]) : untilDefect(physical);
        into.runSectors = (int) Math.max(1, Math.min(into.sectorsToTrackEnd, run));
        into.sectorsFromTrackStart = into.sector - (int) slippedBetween(at - into.sector, at);
    }

    private void turnTo(long at, DiskGeometry.Position into) {
        long track = at / zone.sectorsPerTrack();
        into.sector = (int) (at % zone.sectorsPerTrack());
        long cylinder = track / heads;
        double skew =
                zone.offsetSectors()
                        + (double) (track - cylinder) * zone.trackSkewSectors()
                        + (double) cylinder * zone.cylinderSkewSectors();
        if (slipAt.length > 0 && zone.sparing().slipsTurn()) {
            long tracksBefore = zone.sparing().groupTracks() == 1 ? track : cylinder * heads;
            skew += countUpTo(slipAt, tracksBefore * zone.sectorsPerTrack() - 1);
        }
        double angle = (skew + into.sector) / zone.sectorsPerTrack();
        into.cylinder = cylinder;
        into.head = (int) (track % heads);
        into.angle = angle - Math.floor(angle);
        into.sectorsPerTrack = zone.sectorsPerTrack();
    }

    private long untilDefect(long physical) {
        long until = Long.MAX_VALUE;
        if (slipAt.length > 0) {
            int next = countUpTo(slipAt, physical);
            until = next < slipAt.length ? slipAt[next] - physical : until;
        }
        if (badAt.length > 0) {
            int next = countUpTo(badAt, physical);
            until = next < badAt.length ? Math.min(until, badAt[next] - physical) : until;
        }
        return until;
    }

    private long slippedBetween(long first, long end) {
        if (slipAt.length == 0 || zone.defects().unitSectors() > 1) {
            return 0;
        }
        return (long) countUpTo(slipAt, end - 1) - countUpTo(slipAt, first - 1);
    }

    /** How many of the ascending keys are no greater. */
    private static int countUpTo(long[] keys, long most) {
        int low = 0;
        int high = keys.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[middle] <= most) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public String toString() {
        return "zone of " + sectors + " sectors, slips " + Arrays.toString(slipAt);
    }
}
