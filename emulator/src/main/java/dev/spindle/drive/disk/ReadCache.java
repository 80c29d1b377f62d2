package dev.spindle.drive.disk;

import org.jspecify.annotations.Nullable;

/**
 * What the disk's buffer holds of the medium: a fixed number of segments, each one run of sectors,
 * an empty one or the least recently used replaced first. One of them may be growing: the one the
 * disk is reading ahead into.
 */
final class ReadCache {
    private final int segmentSectors;
    private final Segment[] byAge;

    ReadCache(int maxSegments, int segmentSectors) {
        this.segmentSectors = segmentSectors;
        byAge = new Segment[segmentSectors == 0 ? 0 : maxSegments];
        for (int i = 0; i < byAge.length; i++) {
            byAge[i] = new Segment();
        }
    }

    boolean holdsNothing() {
        return byAge.length == 0;
    }

    int segmentSectors() {
        return segmentSectors;
    }

    /** The segment in which the sector lies, or which it follows at once; null if there is none. */
    @Nullable Segment around(long sector) {
        Segment follows = null;
        for (int i = byAge.length - 1; i >= 0; i--) {
            Segment segment = byAge[i];
            if (segment.first <= sector && sector < segment.end) {
                return segment;
            }
            if (sector == segment.end && segment.first < segment.end && follows == null) {
                follows = segment;
            }
        }
        return follows;
    }

    void touch(Segment segment) {
        int at = byAge.length - 1;
        while (byAge[at] != segment) {
            at--;
        }
        System.arraycopy(byAge, at + 1, byAge, at, byAge.length - 1 - at);
        byAge[byAge.length - 1] = segment;
    }

    /** An empty segment at a sector, most recently used; where there is none the oldest goes. */
    Segment take(long first) {
        Segment taken = byAge[0];
        for (Segment segment : byAge) {
            if (segment.first == segment.end) {
                taken = segment;
                break;
            }
        }
        touch(taken);
        taken.first = first;
        taken.end = first;
        return taken;
    }

    /** The latest segment gives up what lies before the sector: the host has it. */
    void giveUpTo(long sector) {
        if (byAge.length > 0) {
            Segment latest = byAge[byAge.length - 1];
            latest.first = Math.min(latest.end, Math.max(latest.first, sector));
        }
    }

    /** Drops what is about to be overwritten, from there to the end of each segment. */
    void invalidate(long first, long end) {
        for (Segment segment : byAge) {
            if (segment.first < end && first < segment.end) {
                segment.end = Math.max(segment.first, first);
            }
        }
    }

    void dropAll() {
        for (Segment segment : byAge) {
            segment.end = segment.first;
        }
    }

    /** A run of sectors in the buffer. */
    static final class Segment {
        long first;
        long end;

        /** The buffer is a ring: what came first is overwritten first. */
        void keepWithin(int sectors) {
            first = Math.max(first, end - sectors);
        }
    }
}
