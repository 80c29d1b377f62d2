package dev.spindle.block;

import java.util.Arrays;

/**
 * A run of a device's contents, cut where holes begin and end: extents of data and of holes in
 * turn. Bounded; memory is taken as it fills. Whoever fills it owns it until the listener is told.
 */
public final class ExtentList {
    private static final int FIRST_EXTENTS = 16;

    private final int mostExtents;
    private long[] lengthsBytes;
    private int size;
    private boolean beginsWithHole;

    public ExtentList(int mostExtents) {
        if (mostExtents < 1) {
            throw new IllegalArgumentException("extents=" + mostExtents + " is less than 1");
        }
        this.mostExtents = mostExtents;
        lengthsBytes = new long[Math.min(mostExtents, FIRST_EXTENTS)];
    }

    /**
     * Appends an extent; one of the last one's kind lengthens that. False, and nothing appended,
     * when the list is full.
     */
    public boolean add(boolean isHole, long lengthBytes) {
        assert lengthBytes > 0 : lengthBytes;
        if (size > 0 && isHole(size - 1) == isHole) {
            lengthsBytes[size - 1] += lengthBytes;
            return true;
        }
        if (size == mostExtents) {
            return false;
        }
        if (size == lengthsBytes.length) {
            lengthsBytes = Arrays.copyOf(lengthsBytes, Math.min(mostExtents, 2 * size));
        }
        if (size == 0) {
            beginsWithHole = isHole;
        }
        lengthsBytes[size++] = lengthBytes;
        return true;
    }

    public int size() {
        return size;
    }

    public boolean isHole(int index) {
        return beginsWithHole == ((index & 1) == 0);
    }

    public long lengthBytes(int index) {
        assert index < size;
        return lengthsBytes[index];
    }
}
