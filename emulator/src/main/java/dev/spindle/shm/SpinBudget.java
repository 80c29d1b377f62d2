package dev.spindle.shm;

/**
 * How long a loop goes on looking at its rings when they are empty, before it sleeps. Owned by that
 * loop.
 *
 * <p>{@link #SPIN_NS} as a rule. A process that had to be woken, though, takes longer than that to
 * come back, some 10 to 30 us; were the loop asleep by then, it would have to be rung, the process
 * would be asleep before it answers, and so on by turns for ever. So after a wake it looks for
 * {@link #AFTER_WAKE_NS}, once. Where that is in vain, because the process has other things to do,
 * it is tried more and more rarely, down to every {@link #RAREST}th time; so a slow device costs
 * nothing.
 */
final class SpinBudget {
    private static final boolean IS_OF_USE = Runtime.getRuntime().availableProcessors() > 1;
    static final long SPIN_NS = IS_OF_USE ? 5_000 : 0;
    static final long AFTER_WAKE_NS = IS_OF_USE ? 50_000 : 0;
    static final int RAREST = 64;

    private long budgetNs = SPIN_NS;
    private int interval = 1;
    private int wakes;

    /** A process has been woken. */
    void woken() {
        wakes++;
        if (wakes >= interval) {
            wakes = 0;
            budgetNs = AFTER_WAKE_NS;
        }
    }

    /** There was something in a ring. */
    void worked() {
        if (budgetNs == AFTER_WAKE_NS) {
            interval = 1;
        }
        budgetNs = SPIN_NS;
    }

    /** How long since there last was something until it is time to sleep. */
    long budgetNs() {
        return budgetNs;
    }

    /** There was nothing in all that time. */
    void gaveUp() {
        if (budgetNs == AFTER_WAKE_NS) {
            interval = Math.min(RAREST, interval * 2);
        }
        budgetNs = SPIN_NS;
    }
}
