package dev.spindle.shm;

/**
 * What is given to processes.
 *
 * @param arenaBytes the most data one process has under way on one device
 * @param memoryBytes what all arenas together may take
 * @param clients processes times devices at a time
 */
public record ShmLimits(long arenaBytes, long memoryBytes, int clients) {
    public ShmLimits {
        if (arenaBytes < ChannelLayout.MAX_TRANSFER_BYTES
                || arenaBytes > Integer.MAX_VALUE - ChannelLayout.ARENA_OFFSET
                || arenaBytes % ChannelLayout.PAGE_BYTES != 0
                || memoryBytes < arenaBytes
                || clients < 1) {
            throw new IllegalArgumentException(
                    "arena " + arenaBytes + ", memory " + memoryBytes + ", clients " + clients);
        }
    }
}
