package dev.spindle.queue.elevator;

import org.jspecify.annotations.Nullable;

/**
 * Finds a waiting command by a number made from a sector: open addressing with linear probing. Of
 * two with the same number the later is found.
 */
final class SectorTable {
    private static final int INITIAL = 64;

    private long[] keys = new long[INITIAL];
    private @Nullable Waiting[] values = new Waiting[INITIAL];
    private int size;

    void put(long key, Waiting waiting) {
        if (2 * size >= values.length) {
            grow();
        }
        int at = slot(key);
        if (values[at] == null) {
            size++;
        }
        keys[at] = key;
        values[at] = waiting;
    }

    @Nullable Waiting get(long key) {
        return values[slot(key)];
    }

    /** Forgets it, unless another has taken its place. */
    void remove(long key, Waiting waiting) {
        int at = slot(key);
        if (values[at] != waiting) {
            return;
        }
        size--;
        int hole = at;
        int mask = values.length - 1;
        for (int i = (hole + 1) & mask; values[i] != null; i = (i + 1) & mask) {
            int home = home(keys[i]);
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                keys[hole] = keys[i];
                values[hole] = values[i];
                hole = i;
            }
        }
        values[hole] = null;
    }

    private int slot(long key) {
        int at = home(key);
        while (values[at] != null && keys[at] != key) {
            at = (at + 1) & (values.length - 1);
        }
        return at;
    }

    private int home(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (values.length - 1);
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Waiting[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new Waiting[2 * oldValues.length];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != null) {
                int at = slot(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }
}
