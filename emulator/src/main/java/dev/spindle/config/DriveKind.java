package dev.spindle.config;

/** What a drive profile describes. */
enum DriveKind {
    DISK,
    NULL,
    OPTICAL
}
