package dev.spindle.drive.disk;

/**
 * What a disk reads that nobody has asked for.
 *
 * @param scope how far it goes
 * @param leastSectors what it reads ahead before it turns to another command
 * @param mostSectors the limit; 0 for what the segment holds
 * @param overRequested what has been sent to the host is given up for it
 * @param onHit it goes on when a command was served from the buffer
 * @param almostHits a read that begins with the sector being read ahead counts as found
 * @param fromLanding it also keeps what passes on the track before the first sector asked for
 * @param wholeTrack having come to the end of the track it goes on at its beginning, until it has
 *     all of it
 * @param stopsInSector it can stop in the middle of a sector
 */
public record ReadAheadRule(
        Scope scope,
        int leastSectors,
        int mostSectors,
        boolean overRequested,
        boolean onHit,
        boolean almostHits,
        boolean fromLanding,
        boolean wholeTrack,
        boolean stopsInSector) {
    /** Until the segment is full of sectors nobody has asked for. */
    public static final ReadAheadRule FULL_SEGMENT =
            new ReadAheadRule(Scope.SEGMENT, 0, 0, false, false, true, false, false, true);

    public ReadAheadRule {
        if (leastSectors < 0 || mostSectors < 0) {
            throw new IllegalArgumentException(
                    "read-ahead: least=" + leastSectors + " most=" + mostSectors + " sectors");
        }
    }

    /** How far reading ahead goes. */
    public enum Scope {
        NOTHING,
        /** To the end of the track. */
        TRACK,
        /** To the end of the cylinder. */
        CYLINDER,
        /** Until the segment is full. */
        SEGMENT,
        /**
         * To the end of the track; of the next one too, once reads have gone past a track's end.
         */
        NEXT_TRACK
    }
}
