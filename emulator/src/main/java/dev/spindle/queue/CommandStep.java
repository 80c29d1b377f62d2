package dev.spindle.queue;

/** What can happen to a command. */
public enum CommandStep {
    /** Handed to the elevator. */
    INSERTED,
    /** Begun by the drive. */
    ISSUED,
    /** Ended by the drive, well or not. */
    COMPLETED
}
