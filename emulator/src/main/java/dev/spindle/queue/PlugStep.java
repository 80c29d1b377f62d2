package dev.spindle.queue;

/** What can happen to a queue's plug. */
public enum PlugStep {
    PLUGGED,
    /** Somebody waits, or enough commands do. */
    UNPLUGGED,
    /** The delay has passed. */
    UNPLUGGED_BY_TIMER
}
