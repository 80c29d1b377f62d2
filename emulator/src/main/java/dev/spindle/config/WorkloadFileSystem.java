package dev.spindle.config;

/** Who decides where a file lies. */
public enum WorkloadFileSystem {
    RAW,
    EXT2,
    UDF
}
