package dev.spindle.config;

/**
 * In the daemon's memory, taken as it is written to and lost when the daemon ends.
 *
 * @param hugePages take it in pages of 2 MiB: faster, though a byte written may take as much
 */
public record MemoryStoreConfig(boolean hugePages) implements StoreConfig {}
