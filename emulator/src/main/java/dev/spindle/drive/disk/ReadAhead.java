package dev.spindle.drive.disk;

import org.jspecify.annotations.Nullable;

/**
 * The disk goes on reading after a read, into the segment that read began, as far as its rule says.
 * It knows how far the head has got at any time.
 */
final class ReadAhead {
    private final DiskMechanics mechanics;
    private final ReadAheadRule rule;
    private final long capacitySectors;
    private final int segmentSectors;
    private ReadCache.@Nullable Segment segment;

    /**
     * When the segment's last sector had passed; or, once the head has moved on, when the next one
     * begins to.
     */
    private double aheadNs;

    /** What of the track lies before the place where the head came upon it, and when it is read. */
    private long frontSector = -1;

    private double frontTurnNs;

    private long leastSector;
    private long limitSector;

    ReadAhead(
            DiskMechanics mechanics, ReadAheadRule rule, long capacitySectors, int segmentSectors) {
        this.mechanics = mechanics;
        this.rule = rule;
        this.capacitySectors = capacitySectors;
        this.segmentSectors = segmentSectors;
    }

    boolean isActive() {
        return segment != null && (segment.end < limitSector || frontSector >= 0);
    }

    /** True also when it has stopped for being full: the head still follows the track. */
    boolean isGrowing(ReadCache.Segment candidate) {
        return segment == candidate;
    }

    /** The segment's last sector passed at {@code atNs}, the last of a read that began at first. */
    void start(ReadCache.Segment read, long firstSector, double atNs) {
        boolean goesOn = segment == read;
        frontSector = -1;
        segment = read;
        aheadNs = atNs;
        long limit = limitFor(read, firstSector, read.end);
        limitSector = goesOn ? Math.max(limitSector, limit) : limit;
        leastSector = Math.min(limitSector, read.end + rule.leastSectors());
    }

    /**
     * The head came upon the track at the segment's first sector: having read to the end of the
     * track it goes on with what lies before, so many sectors; a turn of the disk brings it there.
     */
    void wrapTo(long sectorsBefore, double turnedNs) {
        assert segment != null;
        frontSector = segment.first - sectorsBefore;
        frontTurnNs = turnedNs;
    }

    private void readFront(ReadCache.Segment growing, double nowNs) {
        if (frontSector >= 0 && nowNs >= frontTurnNs && growing.end >= limitSector) {
            growing.first = Math.min(growing.first, frontSector);
            growing.keepWithin(segmentSectors);
            frontSector = -1;
        }
    }

    /** A command was served from the growing segment: its end moves the limit on. */
    void extend(long firstSector, long endSector) {
        assert segment != null;
        limitSector = Math.max(limitSector, limitFor(segment, firstSector, endSector));
    }

    /**
     * Gives up at {@code nowNs}, having been grown until then; returns when the mechanics are free.
     */
    double stop(double nowNs) {
        ReadCache.Segment growing = segment;
        if (growing == null || growing.end >= limitSector) {
            segment = null;
            return nowNs;
        }
        double freeNs = nowNs;
        if (growing.end < leastSector) {
            freeNs = growTo(leastSector);
        } else if (mechanics.onTrackNs() > nowNs) {
            freeNs = mechanics.onTrackNs();
        } else if (!rule.stopsInSector() && aheadNs <= nowNs) {
            freeNs = aheadNs + mechanics.sectorNs();
        }
        segment = null;
        return freeNs;
    }

    /** Reads on until {@code nowNs} or until it has read enough. */
    void growUntil(double nowNs) {
        ReadCache.Segment growing = segment;
        assert growing != null;
        boolean isPassing = true;
        while (isPassing && growing.end < limitSector && aheadNs < nowNs) {
            aheadNs = mechanics.reach(aheadNs, growing.end, false);
            long passed = (long) Math.floor(Math.max(0, nowNs - aheadNs) / mechanics.sectorNs());
            long possible = Math.min(mechanics.runSectors(), limitSector - growing.end);
            isPassing = passed >= possible;
            pass(growing, Math.min(passed, possible));
        }
        growing.keepWithin(segmentSectors);
        readFront(growing, nowNs);
    }

    /** When the head is ready to go on, if it is told to at {@code atNs} after having stopped. */
    double resumeNs(double atNs) {
        return isActive() ? aheadNs : Math.max(aheadNs, atNs);
    }

    private double growTo(long endSector) {
        ReadCache.Segment growing = segment;
        assert growing != null;
        while (growing.end < endSector) {
            aheadNs = mechanics.reach(aheadNs, growing.end, false);
            pass(growing, Math.min(mechanics.runSectors(), endSector - growing.end));
        }
        growing.keepWithin(segmentSectors);
        return aheadNs;
    }

    private void pass(ReadCache.Segment growing, long sectors) {
        aheadNs += sectors * mechanics.sectorNs();
        growing.end += sectors;
    }

    private long limitFor(ReadCache.Segment read, long firstSector, long endSector) {
        long limit =
                switch (rule.scope()) {
                    case NOTHING -> endSector;
                    case SEGMENT -> segmentLimit(firstSector, endSector);
                    case TRACK ->
                            Math.min(segmentLimit(firstSector, endSector), trackEnd(endSector - 1));
                    case CYLINDER ->
                            Math.min(
                                    segmentLimit(firstSector, endSector),
                                    cylinderEnd(endSector - 1));
                    case NEXT_TRACK -> nextTrackLimit(read, endSector);
                };
        return Math.min(capacitySectors, limit);
    }

    private long segmentLimit(long firstSector, long endSector) {
        if (rule.mostSectors() > 0) {
            return endSector + rule.mostSectors();
        }
        if (!rule.overRequested()) {
            return Math.max(endSector + rule.leastSectors(), firstSector + segmentSectors);
        }
        return endSector + segmentSectors;
    }

    private long nextTrackLimit(ReadCache.Segment read, long endSector) {
        if (endSector >= capacitySectors) {
            return capacitySectors;
        }
        long end = trackEnd(endSector);
        long next = end + mechanics.sectorsPerTrack();
        boolean isStream = read.first < endSector - mechanics.sectorsFromTrackStart();
        boolean fits = next - endSector <= rule.mostSectors() && !rule.wholeTrack();
        return isStream || fits ? next : end;
    }

    private long trackEnd(long sector) {
        mechanics.look(sector);
        return sector + mechanics.sectorsToTrackEnd();
    }

    private long cylinderEnd(long sector) {
        long end = trackEnd(sector);
        long cylinder = mechanics.cylinderLookedAt();
        while (end < capacitySectors) {
            long next = trackEnd(end);
            if (mechanics.cylinderLookedAt() != cylinder) {
                break;
            }
            end = next;
        }
        return end;
    }
}
