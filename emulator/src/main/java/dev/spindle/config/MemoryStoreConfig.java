package dev.spindle.config;

/** In the daemon's memory, taken as it is written to and lost when the daemon ends. */
public record MemoryStoreConfig() implements StoreConfig {}
