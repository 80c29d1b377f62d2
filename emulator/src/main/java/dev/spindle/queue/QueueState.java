package dev.spindle.queue;

/** A queue at one moment, for people who look. */
public record QueueState(
        int readRequests,
        int writeRequests,
        int readersAsleep,
        int writersAsleep,
        boolean isReadCongested,
        boolean isWriteCongested,
        int waitingCommands) {}
