package dev.spindle.config;

/** Where a device's bytes are kept. */
public sealed interface StoreConfig permits MemoryStoreConfig, FileStoreConfig {}
