package dev.spindle.drive.disk;

import org.jspecify.annotations.Nullable;

/**
 * The disk goes on reading after a read, into the segment that read began, until the segment is
 * full of sectors nobody has asked for yet. It knows how far the head has got at any time.
 */
final class ReadAhead {
    private final DiskMechanics mechanics;
    private final long capacitySectors;
    private final int segmentSectors;
    private ReadCache.@Nullable Segment segment;

    /**
     * When the segment's last sector had passed; or, once the head has moved on, when the next one
     * begins to.
     */
    private double aheadNs;

    private long limitSector;

    ReadAhead(DiskMechanics mechanics, long capacitySectors, int segmentSectors) {
        this.mechanics = mechanics;
        this.capacitySectors = capacitySectors;
        this.segmentSectors = segmentSectors;
    }

    boolean isActive() {
        return segment != null && segment.end < limitSector;
    }

    /** True also when it has stopped for being full: the head still follows the track. */
    boolean isGrowing(ReadCache.Segment candidate) {
        return segment == candidate;
    }

    /** The segment's last sector passed at {@code atNs}: go on from there. */
    void start(ReadCache.Segment read, double atNs) {
        segment = read;
        aheadNs = atNs;
        limitSector = Math.min(capacitySectors, read.end + segmentSectors);
    }

    void stop() {
        segment = null;
    }

    /**
     * Reads on until {@code nowNs} or until full; returns when the mechanics have done what they
     * have begun.
     */
    double growUntil(double nowNs) {
        ReadCache.Segment growing = segment;
        assert growing != null;
        boolean isPassing = true;
        while (isPassing && growing.end < limitSector && aheadNs < nowNs) {
            aheadNs = mechanics.reach(aheadNs, growing.end, false);
            long passed = (long) Math.floor(Math.max(0, nowNs - aheadNs) / mechanics.sectorNs());
            long possible = Math.min(mechanics.sectorsToTrackEnd(), limitSector - growing.end);
            isPassing = passed >= possible;
            pass(growing, Math.min(passed, possible));
        }
        growing.keepWithin(segmentSectors);
        return aheadNs;
    }

    /**
     * When the last sector before {@code endSector} has passed. A disk that had stopped because the
     * segment was full takes up reading at {@code resumeNs}.
     */
    double growTo(long endSector, double resumeNs) {
        ReadCache.Segment growing = segment;
        assert growing != null;
        if (growing.end >= limitSector) {
            aheadNs = Math.max(aheadNs, resumeNs);
        }
        while (growing.end < endSector) {
            aheadNs = mechanics.reach(aheadNs, growing.end, false);
            pass(growing, Math.min(mechanics.sectorsToTrackEnd(), endSector - growing.end));
        }
        limitSector = Math.min(capacitySectors, endSector + segmentSectors);
        growing.keepWithin(segmentSectors);
        return aheadNs;
    }

    private void pass(ReadCache.Segment growing, long sectors) {
        aheadNs += sectors * mechanics.sectorNs();
        growing.end += sectors;
    }
}
