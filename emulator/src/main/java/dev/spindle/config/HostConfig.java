package dev.spindle.config;

/**
 * A host above a device, for simulations: what its kernel costs and how much it remembers.
 *
 * @param bioBytes the most that one bio holds
 * @param cpuPerPageNs faulting in, pinning and mapping a page of 4 KiB for O_DIRECT
 * @param cpuPerCallNs a system call, with sleeping and waking
 * @param cpuPerRequestNs submission and completion of a request
 * @param idleSwitches context switches a second that it makes with no I/O at all
 * @param memoryBytesPerSecond at which a program fills pages
 * @param memory its page cache
 * @param metadataReads that ext2 makes of its own for each file and pass of write-back
 */
public record HostConfig(
        String name,
        long bioBytes,
        long cpuPerPageNs,
        long cpuPerCallNs,
        long cpuPerRequestNs,
        int idleSwitches,
        long memoryBytesPerSecond,
        Memory memory,
        double metadataReads) {
    /**
     * A page cache.
     *
     * @param cacheBytes beyond this, a new page takes the place of the oldest
     * @param dirtyBytes beyond this, whoever dirties pages writes some back
     * @param backgroundBytes beyond this, pdflush does
     */
    public record Memory(long cacheBytes, long dirtyBytes, long backgroundBytes) {}
}
