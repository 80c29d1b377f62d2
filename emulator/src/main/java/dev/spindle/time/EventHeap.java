package dev.spindle.time;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: what is to happen, in the order of (time, sequence), so that two events of the same
 * time happen in the order they were asked for. One thread, no sleeping: the same events in give
 * the same trace out, to the byte.
 */
public final class EventHeap {
    /** Told of each event as it happens. */
    @FunctionalInterface
    public interface Trace {
        void event(long timeNs, long sequence, String what);
    }

    /** Something to happen; may be cancelled until it has. */
    public static final class Event implements Comparable<Event> {
        private final long timeNs;
        private final long sequence;
        private final String what;
        private @Nullable Runnable action;

        private Event(long timeNs, long sequence, String what, Runnable action) {
            this.timeNs = timeNs;
            this.sequence = sequence;
            this.what = what;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNs, other.timeNs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    private final VirtualClock clock = new VirtualClock();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Trace trace;
    private long sequence;

    public EventHeap(Trace trace) {
        this.trace = trace;
    }

    public EventHeap() {
        this((_, _, _) -> {});
    }

    public long nowNs() {
        return clock.nowNs();
    }

    /** Not before now. */
    public Event at(long timeNs, String what, Runnable action) {
        Event event = new Event(Math.max(timeNs, nowNs()), sequence++, what, action);
        events.add(event);
        return event;
    }

    public Event after(long spanNs, String what, Runnable action) {
        return at(nowNs() + spanNs, what, action);
    }

    public void cancel(Event event) {
        event.action = null;
    }

    /** Until nothing is left. */
    public void run() {
        runUntil(DeviceClock.NEVER);
    }

    /** All that happens before that time; the clock stands at the last event. */
    public void runUntil(long timeNs) {
        for (Event next = events.peek();
                next != null && next.timeNs < timeNs;
                next = events.peek()) {
            events.poll();
            Runnable action = next.action;
            if (action != null) {
                next.action = null;
                clock.advanceTo(next.timeNs);
                trace.event(next.timeNs, next.sequence, next.what);
                action.run();
            }
        }
    }
}
