package dev.spindle.shm;

import dev.spindle.time.DeviceClock;
import java.util.ArrayList;
import java.util.concurrent.Executor;

/**
 * When the sessions of one loop get their turns. Owned by that loop.
 *
 * <p>A session that has had something to do is polled for a while more ({@link SpinBudget}): a
 * process that submits again within that time need wake nobody. Then it is parked, and the next
 * submission comes with a bell. A turn lasts {@link #TURN_NS} at most, so that timers and sockets
 * of the loop get theirs; with nothing to do there are no turns.
 */
final class ShmTurns {
    private static final long TURN_NS = 100_000;

    private final Executor loop;
    private final DeviceClock clock;
    private final Runnable turn = this::turn;
    private final ArrayList<ShmSession> polled = new ArrayList<>();
    private final ArrayList<ShmSession> unflushed = new ArrayList<>();
    private final SpinBudget spin = new SpinBudget();
    private long workedNs;
    private boolean isInTurn;
    private boolean isAsked;

    ShmTurns(Executor loop, DeviceClock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    /** From now on the session is polled, until it is parked. */
    void poll(ShmSession session) {
        if (!polled.contains(session)) {
            polled.add(session);
        }
        ask();
    }

    void forget(ShmSession session) {
        polled.remove(session);
        unflushed.remove(session);
    }

    /** It has completions that the process has not been told of. */
    void flushSoon(ShmSession session) {
        unflushed.add(session);
        ask();
    }

    private void ask() {
        if (!isInTurn && !isAsked) {
            isAsked = true;
            loop.execute(turn);
        }
    }

    private void turn() {
        isAsked = false;
        isInTurn = true;
        long nowNs = clock.nowNs();
        long endNs = nowNs + TURN_NS;
        if (pollAll()) {
            nowNs = clock.nowNs();
            workedNs = nowNs;
        }
        while (!polled.isEmpty() && nowNs - workedNs < spin.budgetNs() && nowNs - endNs < 0) {
            boolean hasWorked = pollAll();
            nowNs = clock.nowNs();
            if (hasWorked) {
                workedNs = nowNs;
            } else {
                Thread.onSpinWait();
            }
        }
        if (nowNs - workedNs >= spin.budgetNs()) {
            spin.gaveUp();
            parkAll();
        }
        isInTurn = false;
        if (!polled.isEmpty() || !unflushed.isEmpty()) {
            ask();
        }
    }

    /** A process has been woken for its completions. */
    void woken() {
        spin.woken();
    }

    /** True when there was anything to do. */
    private boolean pollAll() {
        int taken = 0;
        for (int i = polled.size() - 1; i >= 0; i--) {
            if (i < polled.size()) {
                taken += polled.get(i).poll();
            }
        }
        if (taken > 0) {
            spin.worked();
        }
        return taken + flushAll() > 0;
    }

    private int flushAll() {
        int flushed = unflushed.size();
        for (int i = unflushed.size() - 1; i >= 0; i--) {
            unflushed.remove(i).flush();
        }
        return flushed;
    }

    private void parkAll() {
        for (int i = polled.size() - 1; i >= 0; i--) {
            if (polled.get(i).park()) {
                polled.remove(i);
            }
        }
    }
}
