package dev.spindle.config;

/**
 * The drive's buffer.
 *
 * @param sizeBytes 0 for none, which leaves readAhead and writeBack without effect
 * @param segments into how many it is cut, one a stream
 * @param readAhead reads on after a read, into the segment
 * @param writeBack reports a write done once its data is here
 */
public record CacheConfig(long sizeBytes, int segments, boolean readAhead, boolean writeBack) {
    public CacheConfig {
        Checks.requireRange("size", sizeBytes, 0, Long.MAX_VALUE);
        Checks.requireRange("segments", segments, 1, Integer.MAX_VALUE);
    }
}
