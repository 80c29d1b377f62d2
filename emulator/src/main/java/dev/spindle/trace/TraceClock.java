package dev.spindle.trace;

/**
 * The order of one file's records: sequence numbers, and times that never go back. Owned by the
 * loop that owns the device.
 */
public final class TraceClock {
    private int sequence;
    private long lastNs;
    private boolean isStarted;

    int nextSequence() {
        return ++sequence;
    }

    long at(long atNs) {
        lastNs = isStarted ? Math.max(lastNs, atNs) : atNs;
        isStarted = true;
        return lastNs;
    }
}
