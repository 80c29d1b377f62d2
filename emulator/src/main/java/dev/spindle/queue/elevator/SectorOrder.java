package dev.spindle.queue.elevator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Waiting commands by first sector, those of the same sector in the order they came. An array kept
 * sorted: at the sizes of a request pool, moving its tail is cheaper than following a tree.
 */
final class SectorOrder {
    private static final int INITIAL = 64;

    private Waiting[] sorted = new Waiting[INITIAL];
    private int size;

    void add(Waiting waiting) {
        if (size == sorted.length) {
            sorted = Arrays.copyOf(sorted, 2 * size);
        }
        int at = firstNotBelow(waiting.firstSector() + 1);
        System.arraycopy(sorted, at, sorted, at + 1, size - at);
        sorted[at] = waiting;
        size++;
    }

    /** By the sector it was added with. */
    void remove(Waiting waiting) {
        int at = indexOf(waiting);
        System.arraycopy(sorted, at + 1, sorted, at, size - at - 1);
        size--;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable Waiting first() {
        return size == 0 ? null : sorted[0];
    }

    /** The next one upwards. */
    @Nullable Waiting after(Waiting waiting) {
        int at = indexOf(waiting) + 1;
        return at == size ? null : sorted[at];
    }

    /** The next one downwards. */
    @Nullable Waiting before(Waiting waiting) {
        int at = indexOf(waiting);
        return at == 0 ? null : sorted[at - 1];
    }

    private int indexOf(Waiting waiting) {
        int at = firstNotBelow(waiting.firstSector());
        while (sorted[at] != waiting) {
            at++;
            assert at < size : "not in the order: " + waiting.command;
        }
        return at;
    }

    private int firstNotBelow(long sector) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle].firstSector() < sector) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
