package dev.spindle.drive.disk;

import java.util.Map;
import java.util.TreeMap;

/**
 * Sectors the disk has reported as written and not yet put on the medium, as runs that neither
 * overlap nor touch. They leave in one-way order: upwards from where the last one went, then again
 * from the lowest.
 */
final class WriteCache {
    private final long maxSectors;
    private final TreeMap<Long, Long> runs = new TreeMap<>();
    private long sectors;
    private long sweepSector;

    WriteCache(long maxSectors) {
        this.maxSectors = maxSectors;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    long sectors() {
        return sectors;
    }

    /** True when a write of that length could ever fit. */
    boolean canHold(long count) {
        return count <= maxSectors;
    }

    boolean hasRoomFor(long count) {
        return sectors + count <= maxSectors;
    }

    boolean holds(long first, long end) {
        Map.Entry<Long, Long> run = runs.floorEntry(first);
        return run != null && run.getValue() >= end;
    }

    void add(long first, long end) {
        remove(first, end);
        long from = first;
        long to = end;
        Map.Entry<Long, Long> before = runs.floorEntry(first);
        if (before != null && before.getValue() == first) {
            from = before.getKey();
        }
        Long after = runs.remove(end);
        if (after != null) {
            to = after;
        }
        runs.put(from, to);
        sectors += end - first;
    }

    /** Forgets a range: it is being overwritten or no longer needed. */
    void remove(long first, long end) {
        Map.Entry<Long, Long> run = runs.lowerEntry(end);
        while (run != null && run.getValue() > first) {
            long runFirst = run.getKey();
            long runEnd = run.getValue();
            runs.remove(runFirst);
            if (runFirst < first) {
                runs.put(runFirst, first);
            }
            if (runEnd > end) {
                runs.put(end, runEnd);
            }
            sectors -= Math.min(runEnd, end) - Math.max(runFirst, first);
            run = runs.lowerEntry(Math.max(runFirst, first));
        }
    }

    /** The first sector of the next run to leave; only when not empty. */
    long nextFirst() {
        return nextRun().getKey();
    }

    long nextSectors() {
        Map.Entry<Long, Long> run = nextRun();
        return run.getValue() - run.getKey();
    }

    /** The first {@code count} sectors of the next run are on the medium now. */
    void removeNext(long count) {
        long first = nextFirst();
        remove(first, first + count);
        sweepSector = first + count;
    }

    private Map.Entry<Long, Long> nextRun() {
        Map.Entry<Long, Long> upwards = runs.ceilingEntry(sweepSector);
        return upwards != null ? upwards : runs.firstEntry();
    }
}
