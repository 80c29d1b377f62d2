package dev.spindle.drive.disk;

/**
 * What the controller takes for a command: by direction, by whether the cache alone can serve it,
 * and by what the command before it was.
 *
 * @param readDoneNs before the end of a read is reported
 * @param writeDoneNs before the end of a write is reported
 * @param leastReadMoveNs what a read takes to reach its track, at least: an arm that stood still
 *     has to find its track again
 * @param leastWriteMoveNs what a write that does not follow the one before takes to reach its
 *     track, at least
 */
public record Overhead(
        After readHit,
        After readMiss,
        After writeHit,
        After writeMiss,
        long readDoneNs,
        long writeDoneNs,
        long leastReadMoveNs,
        long leastWriteMoveNs) {
    /** A time that depends on the command before. */
    public record After(long readNs, long writeNs) {
        public static final After NOTHING = new After(0, 0);

        public static After both(long timeNs) {
            return new After(timeNs, timeNs);
        }

        /** Of a command that goes on where one of its kind ended, or the dearer of the two. */
        long ns(boolean wasRead, boolean goesOn) {
            return goesOn ? ns(wasRead) : Math.max(readNs, writeNs);
        }

        long ns(boolean wasRead) {
            return wasRead ? readNs : writeNs;
        }
    }

    /** Whatever the command before was. */
    public static Overhead of(long readHitNs, long readMissNs, long writeHitNs, long writeMissNs) {
        return new Overhead(
                After.both(readHitNs),
                After.both(readMissNs),
                After.both(writeHitNs),
                After.both(writeMissNs),
                0,
                0,
                0,
                0);
    }
}
