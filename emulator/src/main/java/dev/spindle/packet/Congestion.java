package dev.spindle.packet;

import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.Submitter;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may lengthen the write queue. The flag goes up when the queue reaches {@code on}. With policy
 * flag that is all, and who goes on regardless is counted; with policy block whoever wants in
 * sleeps until the queue has shrunk to {@code off}.
 *
 * <p>Whatever the policy, nobody makes the queue longer than {@link #MAX_PIECES}.
 */
final class Congestion {
    static final int MAX_PIECES = WriteMarks.MAX_ON;
    private static final int MAX_OFFENDERS = 64;

    private final Counters counters;
    private final ArrayDeque<Submitter> sleepers = new ArrayDeque<>();
    private final Map<String, Long> offenders = new LinkedHashMap<>();
    private boolean isCongested;

    Congestion(Counters counters) {
        this.counters = counters;
    }

    /** Before a piece is queued; false when the submitter is to sleep. */
    boolean admits(Submitter submitter, int queued, PacketSettings settings) {
        if (queued >= MAX_PIECES) {
            return false;
        }
        int on = settings.marks().on();
        if (!settings.marks().areSet() || queued < on) {
            return true;
        }
        return switch (settings.policy()) {
            case NONE -> true;
            case FLAG -> {
                raise();
                if (queued >= on + on / 4) {
                    blame(submitter);
                }
                yield true;
            }
            case BLOCK -> {
                raise();
                yield false;
            }
        };
    }

    private void raise() {
        if (!isCongested) {
            isCongested = true;
            counters.increment(Counter.WRITE_CONGESTED);
        }
    }

    private void blame(Submitter submitter) {
        if (offenders.containsKey(submitter.name()) || offenders.size() < MAX_OFFENDERS) {
            offenders.merge(submitter.name(), 1L, Long::sum);
        }
    }

    void sleep(Submitter submitter, long nowNs) {
        sleepers.addLast(submitter);
        submitter.fellAsleep(nowNs);
        counters.increment(Counter.SLEEPS);
    }

    /** After a zone has left the queue, or the settings have changed. */
    void shrunk(int queued, PacketSettings settings) {
        if (isCongested && isOver(queued, settings)) {
            isCongested = false;
        }
    }

    private static boolean isOver(int queued, PacketSettings settings) {
        WriteMarks marks = settings.marks();
        if (!marks.areSet()) {
            return true;
        }
        return switch (settings.policy()) {
            case NONE -> true;
            case FLAG -> queued < marks.off();
            case BLOCK -> queued <= marks.off();
        };
    }

    /** The sleeper to wake, in the order they fell asleep; null when none is to be. */
    @Nullable Submitter wake(int queued, PacketSettings settings, long nowNs) {
        boolean isBlocking = settings.policy() == CongestionPolicy.BLOCK;
        boolean mayWake = isBlocking ? isOver(queued, settings) : queued < MAX_PIECES;
        Submitter woken = mayWake && queued < MAX_PIECES ? sleepers.pollFirst() : null;
        if (woken != null) {
            counters.add(Counter.SLEEP_NS, woken.sleptNs(nowNs));
        }
        return woken;
    }

    boolean isCongested() {
        return isCongested;
    }

    int sleeping() {
        return sleepers.size();
    }

    /** How often each submitter wrote on beyond five quarters of {@code on}; by name. */
    Map<String, Long> offenders() {
        return Map.copyOf(offenders);
    }
}
