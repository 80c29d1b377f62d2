package dev.spindle.daemon;

import dev.spindle.time.DeviceClock;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.IntSupplier;

/**
 * How a loop waits for its sockets: where the next request usually follows within microseconds, it
 * looks again and again for that long before it lets the kernel put it to sleep. A client that
 * sends one request at a time is answered sooner by the time it takes to put a thread to sleep and
 * to wake it, which is longer than the work of a small request.
 *
 * <p>Spinning costs processor time, so it is done only while it pays: with one small request at a
 * time. It has to be earned by waits that turned out short. A look in vain costs more than many
 * that succeeded, and so does a wait that was none: a loop whose next request is there already, as
 * with many in flight, would not have slept either, and what it did not use is better left to the
 * client. An idle loop sleeps. Owned by its loop, which serves its timers and tasks between two
 * looks.
 */
final class BriefSpin implements SelectStrategy {
    /** As long as a client takes that is woken, has its answer and asks again, and no longer. */
    static final long LONGEST_NS = 25_000;

    /** A sleep and the work after it, where requests follow one another at once. */
    static final long SHORT_PASS_NS = 75_000;

    static final int LEAST_CREDIT = -128;
    static final int MOST_CREDIT = 16;
    static final int COST_OF_A_MISS = 8;
    static final int COST_OF_NO_WAIT = 8;

    /** Of ten passes at least nine must be short. */
    static final int COST_OF_A_LONG_PASS = 8;

    private final DeviceClock clock;
    private int credit = LEAST_CREDIT;
    private boolean isWaiting;
    private long waitingSinceNs;
    private long wokenNs;

    BriefSpin(DeviceClock clock) {
        this.clock = clock;
    }

    /** One for each loop; with a single processor nothing comes while a loop spins. */
    static SelectStrategyFactory factory() {
        return Runtime.getRuntime().availableProcessors() > 1
                ? () -> new BriefSpin(DeviceClock.wall())
                : DefaultSelectStrategyFactory.INSTANCE;
    }

    @Override
    public int calculateStrategy(IntSupplier readyNow, boolean hasTasks) throws Exception {
        if (hasTasks) {
            return readyNow.get();
        }
        long nowNs = clock.nowNs();
        boolean isFirstLook = !isWaiting;
        if (isFirstLook) {
            isWaiting = true;
            waitingSinceNs = nowNs;
            earn(nowNs - wokenNs);
        }
        if (credit <= 0) {
            return sleep(nowNs);
        }
        int ready = readyNow.get();
        if (ready > 0) {
            isWaiting = false;
            wokenNs = nowNs;
            if (isFirstLook) {
                pay(COST_OF_NO_WAIT);
            } else {
                credit = Math.min(MOST_CREDIT, credit + 1);
            }
            return ready;
        }
        if (nowNs - waitingSinceNs > LONGEST_NS) {
            pay(COST_OF_A_MISS);
            return sleep(nowNs);
        }
        Thread.onSpinWait();
        return CONTINUE;
    }

    private int sleep(long nowNs) {
        isWaiting = false;
        wokenNs = nowNs;
        return SELECT;
    }

    /** What the last pass of the loop tells: the sleep before it and its work together. */
    private void earn(long passNs) {
        if (credit <= 0) {
            credit =
                    passNs < SHORT_PASS_NS
                            ? credit + 1
                            : Math.max(LEAST_CREDIT, credit - COST_OF_A_LONG_PASS);
        }
    }

    /** Who has nothing left starts anew. */
    private void pay(int cost) {
        credit = credit > cost ? credit - cost : LEAST_CREDIT;
    }
}
