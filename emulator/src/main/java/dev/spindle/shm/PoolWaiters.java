package dev.spindle.shm;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The threads of one process that sleep until the pool has a credit, in the process's own {@link
 * ChannelLayout channel}: what stands there wrongly hurts that process alone. Owned by the loop
 * that owns the device.
 */
final class PoolWaiters {
    private final UnsafeBuffer fields;

    PoolWaiters(UnsafeBuffer fields) {
        this.fields = fields;
    }

    /** The place in the line of the thread that waits longest; Long.MAX_VALUE when none does. */
    long firstTicket(int direction) {
        int cell = firstCell(direction);
        return cell < 0 ? Long.MAX_VALUE : ticket(direction, cell);
    }

    /** It is out of the line and a batcher from here on. */
    void wakeFirst(int direction) {
        int cell = firstCell(direction);
        if (cell < 0) {
            return;
        }
        clearBit(direction, cell);
        int woken = cellOffset(direction, cell) + ChannelLayout.POOL_CELL_WOKEN;
        fields.putIntVolatile(woken, 1);
        Futex.wakeAll(fields.addressOffset() + woken);
    }

    /** They keep their places. */
    void lookAgain(int direction) {
        for (long bits = bits(direction); bits != 0; bits &= bits - 1) {
            int cell = Long.numberOfTrailingZeros(bits);
            Futex.wakeAll(
                    fields.addressOffset()
                            + cellOffset(direction, cell)
                            + ChannelLayout.POOL_CELL_WOKEN);
        }
    }

    private int firstCell(int direction) {
        int first = -1;
        long least = Long.MAX_VALUE;
        for (long bits = bits(direction); bits != 0; bits &= bits - 1) {
            int cell = Long.numberOfTrailingZeros(bits);
            long ticket = ticket(direction, cell);
            if (ticket < least) {
                least = ticket;
                first = cell;
            }
        }
        return first;
    }

    private long bits(int direction) {
        try {
            return fields.getLongVolatile(bitsOffset(direction));
        } catch (InternalError e) {
            return 0; // the process has cut its file short; its session finds out
        }
    }

    private void clearBit(int direction, int cell) {
        long bits = bits(direction);
        while (!fields.compareAndSetLong(bitsOffset(direction), bits, bits & ~(1L << cell))) {
            bits = bits(direction);
        }
    }

    private long ticket(int direction, int cell) {
        return fields.getLongVolatile(cellOffset(direction, cell));
    }

    private static int bitsOffset(int direction) {
        return ChannelLayout.POOL_WAITERS_OFFSET + direction * Long.BYTES;
    }

    private static int cellOffset(int direction, int cell) {
        return ChannelLayout.POOL_CELLS_OFFSET
                + direction * ChannelLayout.POOL_CELLS_BYTES
                + cell * ChannelLayout.POOL_CELL_BYTES;
    }
}
