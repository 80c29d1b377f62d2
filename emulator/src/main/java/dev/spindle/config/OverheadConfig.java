package dev.spindle.config;

/** What the drive's electronics take over a command, before anything moves. */
public record OverheadConfig(long readHitNs, long readMissNs, long writeHitNs, long writeMissNs) {}
