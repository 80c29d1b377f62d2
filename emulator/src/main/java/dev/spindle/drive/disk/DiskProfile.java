package dev.spindle.drive.disk;

import java.util.List;

/**
 * The parameters of a disk: facts of a data sheet or of measurement.
 *
 * @param rpm revolutions a minute
 * @param heads recording surfaces
 * @param zones from the outer edge inwards
 * @param seek time over a distance
 * @param headSwitchNs from one surface to another of the same cylinder
 * @param writeSettleNs what a write waits more than a read after the arm has moved or the head was
 *     switched
 * @param overhead what the controller takes for a command before anything else happens
 * @param busBytesPerSecond between host and cache
 * @param cache the buffer
 */
public record DiskProfile(
        double rpm,
        int heads,
        List<Zone> zones,
        SeekCurve seek,
        long headSwitchNs,
        long writeSettleNs,
        Overhead overhead,
        double busBytesPerSecond,
        Cache cache) {
    public DiskProfile {
        zones = List.copyOf(zones);
        if (rpm <= 0 || busBytesPerSecond <= 0 || headSwitchNs < 0 || writeSettleNs < 0) {
            throw new IllegalArgumentException(
                    "disk: rpm="
                            + rpm
                            + " bus="
                            + busBytesPerSecond
                            + " B/s head switch="
                            + headSwitchNs
                            + " ns write settle="
                            + writeSettleNs
                            + " ns: rates must be positive, times not negative");
        }
    }

    double revolutionNs() {
        return 60e9 / rpm;
    }

    /** Command overhead, by direction and by whether the cache alone can serve it. */
    public record Overhead(long readHitNs, long readMissNs, long writeHitNs, long writeMissNs) {}

    /**
     * The buffer: so many segments for streams of reads; half of the whole may hold writes not yet
     * on the medium.
     */
    public record Cache(long sizeBytes, int segments) {
        public Cache {
            if (sizeBytes < 0 || segments < 0 || (sizeBytes > 0 && segments < 1)) {
                throw new IllegalArgumentException(
                        "cache: size=" + sizeBytes + " segments=" + segments);
            }
        }

        int segmentSectors() {
            return segments == 0 ? 0 : (int) (sizeBytes / segments / 512);
        }

        long writeSectors() {
            return sizeBytes / 2 / 512;
        }
    }
}
