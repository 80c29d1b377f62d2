package dev.spindle.drive.disk;

import java.util.Arrays;

/**
 * Sectors the disk has reported as written and not yet put on the medium, as runs that neither
 * overlap nor touch, in ascending order. They leave in one-way order: upwards from where the last
 * one went, then again from the lowest.
 *
 * <p>Two arrays hold the runs; they grow with the runs there are, of which a buffer of n sectors
 * can hold no more than n.
 */
final class WriteCache {
    private final long maxSectors;
    private long[] firsts = new long[16];
    private long[] ends = new long[16];
    private int runs;
    private long sectors;
    private long sweepSector;

    WriteCache(long maxSectors) {
        this.maxSectors = maxSectors;
    }

    boolean isEmpty() {
        return runs == 0;
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
        int at = firstEndingAfter(first);
        return at < runs && firsts[at] <= first && end <= ends[at];
    }

    /** True when a run ends there. */
    boolean endsAt(long sector) {
        int at = firstEndingAfter(sector - 1);
        return at < runs && ends[at] == sector;
    }

    void add(long first, long end) {
        remove(first, end);
        int at = firstEndingAfter(first - 1);
        boolean joinsBefore = at < runs && ends[at] == first;
        int next = joinsBefore ? at + 1 : at;
        boolean joinsAfter = next < runs && firsts[next] == end;
        if (joinsBefore && joinsAfter) {
            ends[at] = ends[next];
            close(next);
        } else if (joinsBefore) {
            ends[at] = end;
        } else if (joinsAfter) {
            firsts[next] = first;
        } else {
            open(at, first, end);
        }
        sectors += end - first;
    }

    /** Forgets a range: it is being overwritten or no longer needed. */
    void remove(long first, long end) {
        int at = firstEndingAfter(first);
        while (at < runs && firsts[at] < end) {
            long runFirst = firsts[at];
            long runEnd = ends[at];
            sectors -= Math.min(runEnd, end) - Math.max(runFirst, first);
            if (runFirst < first && end < runEnd) {
                ends[at] = first;
                open(at + 1, end, runEnd);
                return;
            }
            if (runFirst < first) {
                ends[at] = first;
                at++;
            } else if (end < runEnd) {
                firsts[at] = end;
            } else {
                close(at);
            }
        }
    }

    /** The first sector of the next run to leave; only when not empty. */
    long nextFirst() {
        return firsts[nextRun()];
    }

    long nextSectors() {
        int next = nextRun();
        return ends[next] - firsts[next];
    }

    /** The first {@code count} sectors of the next run are on the medium now. */
    void removeNext(long count) {
        long first = nextFirst();
        remove(first, first + count);
        sweepSector = first + count;
    }

    private int nextRun() {
        int low = 0;
        int high = runs;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (firsts[middle] < sweepSector) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < runs ? low : 0;
    }

    private int firstEndingAfter(long sector) {
        int low = 0;
        int high = runs;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] <= sector) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void open(int at, long first, long end) {
        if (runs == firsts.length) {
            firsts = Arrays.copyOf(firsts, runs * 2);
            ends = Arrays.copyOf(ends, runs * 2);
        }
        System.arraycopy(firsts, at, firsts, at + 1, runs - at);
        System.arraycopy(ends, at, ends, at + 1, runs - at);
        firsts[at] = first;
        ends[at] = end;
        runs++;
    }

    private void close(int at) {
        runs--;
        System.arraycopy(firsts, at + 1, firsts, at, runs - at);
        System.arraycopy(ends, at + 1, ends, at, runs - at);
    }
}
