package dev.spindle.drive.disk;

/**
 * The latest write on its way from the host: when each of its sectors is in the buffer. A sector
 * that is not there when its place comes under the head costs a revolution.
 */
final class WriteArrival {
    private long firstSector;
    private long endSector;
    private double firstNs;
    private double sectorNs;
    private double beginNs;

    /** The first sector begins to arrive at {@code atNs}; the medium waits for the first few. */
    void set(long first, long end, double atNs, double perSectorNs, long sectorsAhead) {
        firstSector = first;
        endSector = end;
        firstNs = atNs + perSectorNs;
        sectorNs = perSectorNs;
        beginNs = atNs + Math.min(sectorsAhead, end - first) * perSectorNs;
    }

    /** When the sector at that place is in the buffer and may be written. */
    double readyNs(long sector) {
        if (sector < firstSector || sector >= endSector) {
            return Double.NEGATIVE_INFINITY;
        }
        return Math.max(beginNs, firstNs + (sector - firstSector) * sectorNs);
    }

    /**
     * How many of so many sectors are there in time, if the first passes at {@code atNs} and each
     * takes {@code passNs}.
     */
    long inTime(long sector, long count, double atNs, double passNs) {
        long last = sector + count - 1;
        if (readyNs(last) <= atNs + (count - 1) * passNs) {
            return count;
        }
        long known = 0;
        while (known < count && readyNs(sector + known) <= atNs + known * passNs) {
            known++;
        }
        return known;
    }
}
