package dev.spindle.config;

/**
 * What the drive's electronics take over a command, before anything moves.
 *
 * @param afterWrite the same where the command before was a write
 * @param readDoneNs before the end of a read is reported
 * @param leastReadMoveNs what a read takes to reach its track, at least
 */
public record OverheadConfig(
        CommandNs afterRead,
        CommandNs afterWrite,
        long readDoneNs,
        long writeDoneNs,
        long leastReadMoveNs,
        long leastWriteMoveNs) {
    /** By direction and by whether the cache alone can serve it. */
    public record CommandNs(long readHitNs, long readMissNs, long writeHitNs, long writeMissNs) {}

    /** Whatever the command before was. */
    public OverheadConfig(long readHitNs, long readMissNs, long writeHitNs, long writeMissNs) {
        this(
                new CommandNs(readHitNs, readMissNs, writeHitNs, writeMissNs),
                new CommandNs(readHitNs, readMissNs, writeHitNs, writeMissNs),
                0,
                0,
                0,
                0);
    }
}
