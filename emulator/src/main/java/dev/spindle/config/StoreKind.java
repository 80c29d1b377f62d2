package dev.spindle.config;

/** Where a device's bytes are kept, as the conf file says it. */
enum StoreKind {
    MEMORY,
    FILE
}
