package dev.spindle.time;

/**
 * Monotonic time of a device in nanoseconds; the origin means nothing, so compare by subtraction.
 */
@FunctionalInterface
public interface DeviceClock {
    /** A deadline that never comes. */
    long NEVER = Long.MAX_VALUE;

    long nowNs();

    /** How much faster than the wall's it passes. */
    default TimeScale scale() {
        return TimeScale.REAL;
    }

    /** CLOCK_MONOTONIC, as other processes of this machine read it. */
    static long monotonicNs() {
        return System.nanoTime();
    }

    /**
     * The machine's own monotonic clock, counted from the first use, so that {@link #NEVER} is
     * later than any time.
     */
    static DeviceClock wall() {
        return WallClock.INSTANCE;
    }
}
