package dev.spindle.config;

/** When the packet writer turns the drive from writing to reading. */
public enum PacketSchedulerKind {
    WHEN_STUCK,
    AT_SEEK
}
