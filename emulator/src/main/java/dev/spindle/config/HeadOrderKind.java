package dev.spindle.config;

/** In which order the heads of a cylinder follow one another. */
public enum HeadOrderKind {
    ASCENDING,
    SERPENTINE_IN_ZONE,
    SERPENTINE_ON_DISK
}
