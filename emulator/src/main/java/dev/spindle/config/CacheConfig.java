package dev.spindle.config;

/**
 * The drive's buffer.
 *
 * @param sizeBytes 0 for none, which leaves readAhead and writeBack without effect
 * @param segments into how many it is cut, one a stream
 * @param readAhead reads on after a read, into the segment
 * @param writeBack reports a write done once its data is here
 */
public record CacheConfig(
        long sizeBytes,
        int segments,
        boolean readAhead,
        boolean writeBack,
        ReadAheadConfig ahead,
        WritesConfig writes) {
    public CacheConfig {
        Checks.requireRange("size", sizeBytes, 0, Long.MAX_VALUE);
        Checks.requireRange("segments", segments, 1, Integer.MAX_VALUE);
    }

    /** Reads ahead until a segment is full; half of the buffer may hold writes. */
    public CacheConfig(long sizeBytes, int segments, boolean readAhead, boolean writeBack) {
        this(
                sizeBytes,
                segments,
                readAhead,
                writeBack,
                new ReadAheadConfig(
                        ReadAheadScope.SEGMENT, 0, 0, false, false, true, false, false, true),
                new WritesConfig(sizeBytes / 2, false, false, false, false));
    }

    /** How far it reads ahead, and what it keeps. */
    public record ReadAheadConfig(
            ReadAheadScope scope,
            int leastSectors,
            int mostSectors,
            boolean overRequested,
            boolean onHit,
            boolean almostHits,
            boolean fromLanding,
            boolean wholeTrack,
            boolean stopsInSector) {}

    /** How it treats what is written. */
    public record WritesConfig(
            long sizeBytes,
            boolean goesFirst,
            boolean takesSegment,
            boolean dropsReads,
            boolean servesReads) {}
}
