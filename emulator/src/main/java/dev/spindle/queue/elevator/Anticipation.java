package dev.spindle.queue.elevator;

import dev.spindle.time.DeviceClock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the drive is better kept idle for a moment after a read, because the same submitter will
 * probably read next to it (as-iosched of Linux 2.6).
 *
 * <pre>
 *   OFF       nothing is awaited
 *   READ      the submitter's read is still being served; what follows it is awaited
 *   NEXT      it has ended; its next one is awaited until antic_expire
 *   FINISHED  awaited long enough, or in vain: the next command goes whatever it is
 * </pre>
 */
final class Anticipation {
    private static final int MAX_SUBMITTERS = 1024;
    private static final long NOBODY = -1;
    private static final long TICK_NS = 1_000_000;
    private static final int CLOSE_SECTORS = 64;
    private static final int MAX_CLOSE_TICKS = 20;

    private enum State {
        OFF,
        READ,
        NEXT,
        FINISHED
    }

    private final long anticNs;
    private final Map<Integer, ReadHabits> habits =
            new LinkedHashMap<>(64, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, ReadHabits> eldest) {
                    return size() > MAX_SUBMITTERS;
                }
            };
    private State state = State.OFF;
    private long submitter = NOBODY;
    private boolean hasEnded;
    private long startNs;
    private long lastReadSector;

    Anticipation(long anticNs) {
        this.anticNs = anticNs;
    }

    private ReadHabits habits(int submitterId) {
        return habits.computeIfAbsent(submitterId, _ -> new ReadHabits());
    }

    boolean isWaiting() {
        return state == State.READ || state == State.NEXT;
    }

    boolean awaits(int submitterId) {
        return isWaiting() && submitter == submitterId;
    }

    long nextDeadlineNs() {
        return state == State.NEXT ? startNs + anticNs : DeviceClock.NEVER;
    }

    void expire() {
        if (state == State.NEXT) {
            state = State.FINISHED;
        }
    }

    void queued(Waiting waiting, long nowNs) {
        if (waiting.direction == Waiting.READ) {
            habits(waiting.command.submitterId())
                    .queued(waiting.firstSector(), waiting.command.endSector(), nowNs);
        }
        if (isWaiting() && isPointless(waiting, nowNs)) {
            state = State.FINISHED;
        }
    }

    void absorbed(Waiting gone) {
        if (gone.direction == Waiting.READ) {
            habits(gone.command.submitterId()).absorbed();
        }
    }

    void dispatched(Waiting waiting) {
        state = State.OFF;
        hasEnded = false;
        if (waiting.direction == Waiting.READ) {
            submitter = waiting.command.submitterId();
            lastReadSector = waiting.command.endSector();
            habits(waiting.command.submitterId()).dispatched();
        } else {
            submitter = NOBODY;
        }
    }

    void completed(int submitterId, boolean isRead, long nowNs) {
        if (!isRead) {
            return;
        }
        habits(submitterId).completed(nowNs);
        if (submitter == submitterId) {
            startNs = nowNs;
            hasEnded = true;
            if (state == State.READ) {
                state = State.NEXT;
            }
        }
    }

    /** Begins to wait, if that is worth while with this command at hand. */
    boolean begin(@Nullable Waiting atHand, long nowNs) {
        if (anticNs == 0
                || submitter == NOBODY
                || state == State.FINISHED
                || isPointless(atHand, nowNs)) {
            return false;
        }
        state = hasEnded ? State.NEXT : State.READ;
        return true;
    }

    private boolean isPointless(@Nullable Waiting atHand, long nowNs) {
        if (hasEnded && nowNs - startNs >= anticNs) {
            return true;
        }
        if (atHand != null
                && (atHand.command.submitterId() == submitter
                        && atHand.direction == Waiting.READ)) {
            return true;
        }
        if (atHand != null && atHand.direction == Waiting.READ && isClose(atHand, nowNs)) {
            return true;
        }
        ReadHabits reader = habits((int) submitter);
        return (reader.isBusy() && hasEnded)
                || reader.thinksLongerThan(anticNs)
                || (atHand != null && reader.usuallySeeksBeyond(distance(atHand)));
    }

    private long distance(Waiting waiting) {
        return Math.abs(waiting.firstSector() - lastReadSector);
    }

    /** The longer the drive has been idle, the further away a command may be to count as close. */
    private boolean isClose(Waiting waiting, long nowNs) {
        long ticks = hasEnded && isWaiting() ? (nowNs - startNs) / TICK_NS : 0;
        if (ticks > MAX_CLOSE_TICKS) {
            return true;
        }
        long near = ticks <= 1 ? CLOSE_SECTORS : (long) CLOSE_SECTORS << (ticks - 1);
        long first = waiting.firstSector();
        return lastReadSector - near / 2 <= first && first <= lastReadSector + near;
    }
}
