package dev.spindle.config;

/** Where a workload's requests go. */
public enum WorkloadPattern {
    /** Each behind the one before. */
    SEQUENTIAL,
    /** Anywhere. */
    RANDOM,
    /** On, or sometimes elsewhere. */
    MIXED,
    /** Files are written back as sync does, inode after inode, metadata last. */
    TREE
}
