package dev.spindle.config;

/** How far a disk reads ahead. */
public enum ReadAheadScope {
    NOTHING,
    SEGMENT,
    TRACK,
    CYLINDER,
    NEXT_TRACK
}
