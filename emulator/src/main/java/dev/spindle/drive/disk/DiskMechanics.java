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
    private static final double ROTATION_SLACK_NS = 1_000;

    private final DiskProfile profile;
    private final DiskGeometry geometry;
    private final double revolutionNs;
    private final DiskGeometry.Position target = new DiskGeometry.Position();
    private long cylinder;
    private int head;

    private double seekNs;
    private double rotationNs;
    private double transferNs;
    private double onTrackNs;

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
            long run = Math.min(left, target.runSectors);
            now = pass(now, run);
            sector += run;
            left -= run;
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
        onTrackNs = atNs + move;
        double wait = untilAngleNs(onTrackNs, target.angle);
        rotationNs += wait;
        return onTrackNs + wait;
    }

    /**
     * How many sectors, counted from the one last reached, pass one after the other: to the end of
     * its track, or to a bad one.
     */
    int runSectors() {
        return target.runSectors;
    }

    /** How many addresses lie on its track, counted from the one last reached. */
    int sectorsToTrackEnd() {
        return target.sectorsToTrackEnd;
    }

    /** The same before it. */
    int sectorsFromTrackStart() {
        return target.sectorsFromTrackStart;
    }

    int sectorsPerTrack() {
        return target.sectorsPerTrack;
    }

    /** Looks where a sector lies, as if it had been reached; nothing moves. */
    void look(long sector) {
        geometry.locate(sector, target);
    }

    long cylinderLookedAt() {
        return target.cylinder;
    }

    /** When arm and head had come to the track last reached. */
    double onTrackNs() {
        return onTrackNs;
    }

    /** When so many sectors have passed, the first of which begins at {@code atNs}. */
    double pass(double atNs, long count) {
        double time = count * sectorNs();
        transferNs += time;
        return atNs + time;
    }

    /** How long arm and head take to come to a sector's track; they stay where they are. */
    double moveNs(long sector, boolean isWrite) {
        geometry.locate(sector, target);
        return moveNs(isWrite);
    }

    double revolutionNs() {
        return revolutionNs;
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
        double move = target.head == head ? 0 : profile.headSwitchNs();
        if (target.cylinder != cylinder) {
            double distance =
                    Math.abs(target.cylinder - cylinder) / (double) geometry.strokeScale();
            move = Math.max(move, profile.seek().timeNs(distance));
        }
        return isWrite && move > 0 ? Math.max(0, move + profile.writeSettleNs()) : move;
    }

    private double untilAngleNs(double atNs, double angle) {
        double turns = atNs / revolutionNs;
        double under = turns - Math.floor(turns);
        double ahead = angle - under;
        double wait = (ahead - Math.floor(ahead)) * revolutionNs;
        return wait > revolutionNs - ROTATION_SLACK_NS ? 0 : wait;
    }
}
