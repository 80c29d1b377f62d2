package dev.spindle.drive.disk;

/**
 * The disk's buffer.
 *
 * @param segments for so many streams of reads
 * @param segmentSectors what each holds
 * @param writes how it treats what is written
 * @param readAhead what it reads that nobody has asked for
 */
public record Cache(int segments, int segmentSectors, Writes writes, ReadAheadRule readAhead) {
    public Cache {
        if (segments < 0 || segmentSectors < 0 || (segmentSectors > 0 && segments < 1)) {
            throw new IllegalArgumentException(
                    "cache: segments=" + segments + " of " + segmentSectors + " sectors");
        }
    }

    /** A buffer cut evenly for reads, of which writes may hold half. */
    public static Cache of(long sizeBytes, int segments) {
        if (sizeBytes < 0 || segments < 0 || (sizeBytes > 0 && segments < 1)) {
            throw new IllegalArgumentException(
                    "cache: size=" + sizeBytes + " segments=" + segments);
        }
        return new Cache(
                segments,
                segments == 0 ? 0 : (int) (sizeBytes / segments / 512),
                new Writes(sizeBytes / 2 / 512, true, false, false, false, false),
                ReadAheadRule.FULL_SEGMENT);
    }

    /**
     * How the buffer treats what is written.
     *
     * @param maxSectors what may wait for the medium
     * @param isWriteBack reports a write once it is in the buffer
     * @param goesFirst what waits is put on the medium before any other command is served, but for
     *     a write that continues it
     * @param takesSegment a write takes a segment from the reads
     * @param dropsReads a write that continues none drops what the buffer holds
     * @param servesReads and reads find it there later
     */
    public record Writes(
            long maxSectors,
            boolean isWriteBack,
            boolean goesFirst,
            boolean takesSegment,
            boolean dropsReads,
            boolean servesReads) {}
}
