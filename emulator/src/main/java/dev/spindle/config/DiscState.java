package dev.spindle.config;

/** What has been done to the disc in an optical drive. */
public enum DiscState {
    FORMATTED,
    BLANK,
    FINALISED,
    WRITE_PROTECTED,
    UNFORMATTED,
    READ_ONLY
}
