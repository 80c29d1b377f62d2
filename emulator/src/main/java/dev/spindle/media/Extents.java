package dev.spindle.media;

import dev.spindle.block.ExtentList;
import java.io.IOException;

/** Walks over a store from data to hole and on. */
public final class Extents {
    /** Extents end on multiples of this, the largest logical block, or at the ends of the range. */
    private static final long GRAIN_BYTES = 4096;

    private Extents() {}

    /**
     * Appends the extents from {@code offsetBytes} on, until {@code lengthBytes} are covered or the
     * list is full. The last one goes as far as it does, perhaps beyond. A grain with any data in
     * it counts as data.
     */
    public static void find(BackingStore store, long offsetBytes, long lengthBytes, ExtentList into)
            throws IOException {
        long capacityBytes = store.capacityBytes();
        long endBytes = offsetBytes + lengthBytes;
        long at = offsetBytes;
        boolean hasRoom = true;
        while (hasRoom && at < endBytes) {
            long dataBytes = store.nextData(at);
            long holeEnd = dataBytes == capacityBytes ? capacityBytes : floor(dataBytes);
            boolean isHole = holeEnd > at;
            long next =
                    isHole ? holeEnd : Math.min(capacityBytes, ceiling(store.nextHole(dataBytes)));
            hasRoom = into.add(isHole, next - at);
            at = next;
        }
    }

    private static long floor(long bytes) {
        return bytes & -GRAIN_BYTES;
    }

    private static long ceiling(long bytes) {
        return floor(bytes + GRAIN_BYTES - 1);
    }
}
