package dev.spindle.testbench.host;

import dev.spindle.time.EventHeap;

/** What one process does with a processor of its own: time spent, and context switches. */
public final class Processor {
    private final EventHeap events;
    private long busyNs;
    private long switches;

    public Processor(EventHeap events) {
        this.events = events;
    }

    /** Goes on after so much work. */
    public void work(long ns, String what, Runnable then) {
        busyNs += ns;
        events.after(ns, what, then);
    }

    /** Time passed in a loop that asks again and again. */
    public void polled(long ns) {
        busyNs += ns;
    }

    /** Away and back again. */
    public void slept() {
        switches += 2;
    }

    public long busyNs() {
        return busyNs;
    }

    public long switches() {
        return switches;
    }
}
