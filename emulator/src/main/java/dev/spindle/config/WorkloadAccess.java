package dev.spindle.config;

/** How a workload's programs reach the device. */
public enum WorkloadAccess {
    /** O_DIRECT and io_submit. */
    AIO,
    /** O_DIRECT and read or write: one at a time. */
    SYNC,
    /** Through the page cache. */
    BUFFERED
}
