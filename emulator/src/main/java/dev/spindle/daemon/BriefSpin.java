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
 * <p>Spinning costs processor time, so it is done only while it pays. It has to be earned by waits
 * that turned out short, a look in vain costs more than many that succeeded, and a loop that had
 * much to do, as with many requests in flight, does not spin at all. An idle loop sleeps. Owned by
 * its loop, which serves its timers and tasks between two looks.
 */
final class BriefSpin implements SelectStrategy {
    /** No longer than putting a thread to sleep and waking it on another processor takes. */
    static final long LONGEST_NS = 50_000;

    /** More work than this between two waits is that of several requests. */
    static final long FEW_REQUESTS_NS = 15_000;

    /** A sleep and the work after it, where requests follow one another. */
    static final long SHORT_PASS_NS = 150_000;

    static final int LEAST_CREDIT = -128;
    static final int MOST_CREDIT = 16;
    static final int COST_OF_A_MISS = 8;

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
        if (!isWaiting) {
            isWaiting = true;
            settle(nowNs);
            waitingSinceNs = nowNs;
        }
        if (credit <= 0) {
            return sleep(nowNs);
        }
        int ready = readyNow.get();
        if (ready > 0) {
            isWaiting = false;
            credit = Math.min(MOST_CREDIT, credit + 1);
            wokenNs = nowNs;
            return ready;
        }
        if (nowNs - waitingSinceNs > LONGEST_NS) {
            credit -= COST_OF_A_MISS;
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

    /** What the last pass of the loop tells: with a sleep before it, that and its work together. */
    private void settle(long nowNs) {
        long passNs = nowNs - wokenNs;
        if (credit <= 0) {
            credit =
                    passNs < SHORT_PASS_NS
                            ? credit + 1
                            : Math.max(LEAST_CREDIT, credit - COST_OF_A_LONG_PASS);
        } else if (passNs > FEW_REQUESTS_NS) {
            credit = credit > 2 ? credit - 2 : LEAST_CREDIT;
        }
    }
}
