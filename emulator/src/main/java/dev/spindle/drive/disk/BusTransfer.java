package dev.spindle.drive.disk;

/**
 * One command's data on the bus, beside the medium. Sector i can be sent once it has been read, and
 * after those before it; so the end is the latest of "sector i is there, and all from i on follow".
 * Within a run that passes evenly only its first and last sector can decide.
 */
final class BusTransfer {
    private double sectorNs;
    private long sectors;
    private long watermark;
    private double reconnectNs;
    private double endNs;

    /** The first {@code buffered} sectors can go from {@code atNs} on. */
    void beginBuffered(double atNs, long count, double perSectorNs) {
        sectors = count;
        sectorNs = perSectorNs;
        watermark = 0;
        endNs = atNs + count * perSectorNs;
    }

    /** Nothing goes before so many have been read; then the bus is asked for. */
    void beginAtWatermark(long sectorsRead, double askNs, long count, double perSectorNs) {
        sectors = count;
        sectorNs = perSectorNs;
        watermark = sectorsRead;
        reconnectNs = askNs;
        endNs = 0;
    }

    /** Sectors {@code index} on of the command pass under the head, beginning at {@code atNs}. */
    void passes(long index, double atNs, double perSectorNs, long count) {
        if (index + count <= 0) {
            return;
        }
        long skipped = Math.max(0, -index);
        ready(index + skipped, atNs + (skipped + 1) * perSectorNs);
        ready(index + count - 1, atNs + count * perSectorNs);
        if (index < watermark && watermark <= index + count) {
            double begin = atNs + (watermark - index) * perSectorNs + reconnectNs;
            endNs = Math.max(endNs, begin + sectors * sectorNs);
        }
    }

    private void ready(long index, double atNs) {
        endNs = Math.max(endNs, atNs + (sectors - index) * sectorNs);
    }

    double endNs() {
        return endNs;
    }
}
