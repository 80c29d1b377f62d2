package dev.spindle.packet;

/** What happens when the write queue is long. */
public enum CongestionPolicy {
    /** Nothing: as before Linux 2.6.20. */
    NONE,
    /** A flag says so and nobody has to heed it: the patch of August 2004. */
    FLAG,
    /** Whoever writes sleeps: Linux 2.6.20 and later. */
    BLOCK
}
