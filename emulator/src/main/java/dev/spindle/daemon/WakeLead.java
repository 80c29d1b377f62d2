package dev.spindle.daemon;

/**
 * How long before a deadline a loop should stop sleeping, so as not to be late for it: as long as
 * this machine's wake-ups are late, learnt from each of them.
 *
 * <p>It goes down, too, with each deadline that is too near for a sleep. So a drive whose commands
 * are shorter than the lead is slept for again before long, and the lead learns from that.
 *
 * <p>It follows the 99th percentile of their lateness: one beyond the lead moves it up by
 * ninety-nine steps, any other down by one. It begins high, for a process's first wake-ups run code
 * that is not compiled yet. It never exceeds its limit, so that the processor time spent waiting
 * awake is bounded by limit times deadlines.
 */
final class WakeLead {
    private static final long STEP_NS = 100;
    private static final long STEPS_UP = 99;
    private static final long FIRST_NS = 300_000;

    private final long limitNs;
    private long leadNs;

    WakeLead(long limitNs) {
        this.limitNs = limitNs;
        leadNs = Math.min(FIRST_NS, limitNs);
    }

    long ns() {
        return leadNs;
    }

    /**
     * A deadline was nearer than the lead: no sleep, no lateness, and nothing known of a sleep's.
     */
    void stayedAwake() {
        woke(0);
    }

    /** A sleep has ended so much later than asked. */
    void woke(long lateNs) {
        long next = lateNs > leadNs ? leadNs + STEPS_UP * STEP_NS : leadNs - STEP_NS;
        leadNs = Math.clamp(next, 0, limitNs);
    }
}
