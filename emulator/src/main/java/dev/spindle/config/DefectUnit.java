package dev.spindle.config;

/** What slips and remaps count. */
public enum DefectUnit {
    SECTOR,
    TRACK
}
