package dev.spindle.drive.disk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the disk's buffer holds of the medium: a fixed number of segments, each one run of sectors,
 * the least recently used replaced first. One of them may be growing: the one the disk is reading
 * ahead into.
 */
final class ReadCache {
    private final int maxSegments;
    private final int segmentSectors;
    private final List<Segment> byAge = new ArrayList<>();

    ReadCache(int maxSegments, int segmentSectors) {
        this.maxSegments = segmentSectors == 0 ? 0 : maxSegments;
        this.segmentSectors = segmentSectors;
    }

    boolean holdsNothing() {
        return maxSegments == 0;
    }

    int segmentSectors() {
        return segmentSectors;
    }

    /** The segment in which the sector lies, or which it follows at once; null if there is none. */
    @Nullable Segment around(long sector) {
        for (int i = byAge.size() - 1; i >= 0; i--) {
            Segment segment = byAge.get(i);
            if (segment.first <= sector && sector <= segment.end) {
                return segment;
            }
        }
        return null;
    }

    void touch(Segment segment) {
        byAge.remove(segment);
        byAge.addLast(segment);
    }

    /** A segment for a run just read; the oldest goes, and whatever overlaps. */
    Segment add(long first, long end) {
        invalidate(first, end);
        if (byAge.size() == maxSegments) {
            byAge.removeFirst();
        }
        Segment segment = new Segment(first, end);
        segment.keepWithin(segmentSectors);
        byAge.addLast(segment);
        return segment;
    }

    /** Drops what is about to be overwritten, from there to the end of each segment. */
    void invalidate(long first, long end) {
        byAge.removeIf(segment -> {
            if (segment.first < end && first < segment.end) {
                segment.end = Math.max(segment.first, first);
            }
            return segment.end == segment.first;
        });
    }

    /** A run of sectors in the buffer. */
    static final class Segment {
        long first;
        long end;

        private Segment(long first, long end) {
            this.first = first;
            this.end = end;
        }

        /** The buffer is a ring: what came first is overwritten first. */
        void keepWithin(int sectors) {
            first = Math.max(first, end - sectors);
        }
    }
}
