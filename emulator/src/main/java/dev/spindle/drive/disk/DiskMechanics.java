package dev.spindle.drive.disk;

/**
 * Arm, heads and platter: how long it takes from a moment until given sectors have passed under the
 * head. The platter turns for ever: which angle is under the head follows from the time alone, so
 * waiting for a sector depends on when one asks.
 *
 * <p>It remembers only where the arm and the selected head are. The phases of the last access can
 * be read afterwards.
 */
final class DiskMechanics {
    /**
     * A sector that begins within this is taken to be there already: less than a sector time on any
     * disk.
     */
    private static final double ROTATION_SLACK_NS = 3_000;

    private final DiskProfile profile;
    private final DiskGeometry geometry;
    private final double revolutionNs;
    private final DiskGeometry.Position target = new DiskGeometry.Position();
    private long cylinder;
    private int head;

    private double seekNs;
    private double rotationNs;
    private double transferNs;

    DiskMechanics(DiskProfile profile, DiskGeometry geometry) {
        this.profile = profile;
        this.geometry = geometry;
        revolutionNs = profile.revolutionNs();
    }

    /** Forgets the phases added up so far. */
    void beginAccess() {
        seekNs = 0;
        rotationNs = 0;
        transferNs = 0;
    }

    /**
     * When the last of these sectors has passed under the head, having begun to move at {@code
     * atNs}.
     */
    double access(double atNs, long firstSector, long sectors, boolean isWrite) {
        double now = atNs;
        long sector = firstSector;
        long left = sectors;
        while (left > 0) {
            now = reach(now, sector, isWrite);
            long onTrack = Math.min(left, target.sectorsToTrackEnd);
            double pass = onTrack * sectorNs();
            transferNs += pass;
            now += pass;
            sector += onTrack;
            left -= onTrack;
        }
        return now;
    }

    /**
     * Moves arm and head to the sector's track and waits for it to come round; it begins at the
     * time returned.
     */
    double reach(double atNs, long sector, boolean isWrite) {
        geometry.locate(sector, target);
        double move = moveNs(isWrite);
        cylinder = target.cylinder;
        head = target.head;
        seekNs += move;
        double onTrackNs = atNs + move;
        double wait = untilAngleNs(onTrackNs, target.angle);
        rotationNs += wait;
        return onTrackNs + wait;
    }

    /** How many sectors, counted from the one last reached, lie on its track. */
    int sectorsToTrackEnd() {
        return target.sectorsToTrackEnd;
    }

    /** How long a sector of the track last reached takes to pass. */
    double sectorNs() {
        return revolutionNs / target.sectorsPerTrack;
    }

    double seekNs() {
        return seekNs;
    }

    double rotationNs() {
        return rotationNs;
    }

    double transferNs() {
        return transferNs;
    }

    private double moveNs(boolean isWrite) {
        double move;
        if (target.cylinder != cylinder) {
            double distance =
                    Math.abs(target.cylinder - cylinder) / (double) geometry.strokeScale();
            move = profile.seek().timeNs(distance);
        } else if (target.head != head) {
            move = profile.headSwitchNs();
        } else {
            return 0;
        }
        return isWrite ? move + profile.writeSettleNs() : move;
    }

    private double untilAngleNs(double atNs, double angle) {
        double turns = atNs / revolutionNs;
        double under = turns - Math.floor(turns);
        double ahead = angle - under;
        double wait = (ahead - Math.floor(ahead)) * revolutionNs;
        return wait > revolutionNs - ROTATION_SLACK_NS ? 0 : wait;
    }
}
