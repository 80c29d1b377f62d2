package dev.spindle.queue.elevator;

import org.jspecify.annotations.Nullable;

/** Waiting commands in the order they came; one may be taken from anywhere within. */
final class Fifo {
    private @Nullable Waiting oldest;
    private @Nullable Waiting newest;
    private int size;

    void add(Waiting waiting) {
        waiting.earlier = newest;
        waiting.later = null;
        if (newest == null) {
            oldest = waiting;
        } else {
            newest.later = waiting;
        }
        newest = waiting;
        size++;
    }

    void remove(Waiting waiting) {
        if (waiting.earlier == null) {
            oldest = waiting.later;
        } else {
            waiting.earlier.later = waiting.later;
        }
        if (waiting.later == null) {
            newest = waiting.earlier;
        } else {
            waiting.later.earlier = waiting.earlier;
        }
        waiting.earlier = null;
        waiting.later = null;
        size--;
    }

    /** {@code waiting} leaves its own place for that of {@code gone}, which leaves. */
    void takePlace(Waiting waiting, Waiting gone) {
        remove(waiting);
        waiting.earlier = gone.earlier;
        waiting.later = gone;
        if (gone.earlier == null) {
            oldest = waiting;
        } else {
            gone.earlier.later = waiting;
        }
        gone.earlier = waiting;
        size++;
        remove(gone);
    }

    @Nullable Waiting oldest() {
        return oldest;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }
}
