package dev.spindle.drive.disk;

import java.util.List;

/**
 * The parameters of a disk: facts of a data sheet or of measurement.
 *
 * @param rpm revolutions a minute
 * @param heads recording surfaces
 * @param headOrder in which order they follow one another
 * @param zones from the outer edge inwards
 * @param seek time over a distance
 * @param headSwitchNs from one surface to another of the same cylinder
 * @param writeSettleNs what a write waits more than a read after the arm has moved or the head was
 *     switched; negative on a drive whose writes wait less
 * @param overhead what the controller takes for a command before anything else happens
 * @param bus between host and cache
 * @param cache the buffer
 */
public record DiskProfile(
        double rpm,
        int heads,
        HeadOrder headOrder,
        List<Zone> zones,
        SeekCurve seek,
        long headSwitchNs,
        long writeSettleNs,
        Overhead overhead,
        Bus bus,
        Cache cache) {
    public DiskProfile {
        zones = List.copyOf(zones);
        if (rpm <= 0 || headSwitchNs < 0) {
            throw new IllegalArgumentException(
                    "disk: rpm="
                            + rpm
                            + " head switch="
                            + headSwitchNs
                            + " ns: rates must be positive, times not negative");
        }
    }

    double revolutionNs() {
        return 60e9 / rpm;
    }

    /** The same disk on another bus. */
    public DiskProfile withBus(Bus other) {
        return new DiskProfile(
                rpm,
                heads,
                headOrder,
                zones,
                seek,
                headSwitchNs,
                writeSettleNs,
                overhead,
                other,
                cache);
    }
}
