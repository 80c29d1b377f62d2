package dev.spindle.config;

/** The I/O schedulers there are, by the kernel's names. */
public enum ElevatorKind {
    NOOP,
    DEADLINE,
    ANTICIPATORY,
    CFQ
}
