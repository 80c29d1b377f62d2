package dev.spindle.shm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The daemon's side of the pool that all processes under the shim share: it gives credits back as
 * requests end, wakes who waits, and knows what a dead process held. Owned by the loop that owns
 * the device.
 *
 * <p>A credit is taken by a process, with one compare-and-swap of the word, which also says who
 * took last and how many that process has taken in all; before a process overwrites another's name
 * it notes that number in the other's entry of {@code taken}. So however a process dies, what it
 * has taken is known exactly: from the word if its name still stands there, else from its entry. No
 * lock exists that a dead or stopped process could hold. (The idea is that of a recoverable
 * compare-and-swap: Attiya, Ben-Baruch and Hendler, "Nesting-Safe Recoverable Linearizability",
 * 2018.)
 *
 * <p>The numbers are of {@link #SEQUENCE_BITS} bits and go round; only differences matter.
 */
final class SharedPool {
    static final int READS = 0;
    static final int WRITES = 1;

    static final int COUNT_BITS = 18;
    static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    static final long FULL = 1L << COUNT_BITS;
    static final int CLIENT_SHIFT = COUNT_BITS + 1;
    static final int SEQUENCE_SHIFT = 28;
    static final int SEQUENCE_BITS = 64 - SEQUENCE_SHIFT;
    static final long SEQUENCE_MASK = (1L << SEQUENCE_BITS) - 1;

    private final PoolFile file;
    private final ShmCounters counters;
    private final List<PoolWaiters> waiting = new ArrayList<>();
    private final BitSet used = new BitSet(PoolFile.CLIENTS);
    private int nrRequests;

    SharedPool(PoolFile file, int nrRequests, ShmCounters counters) {
        this.file = file;
        this.nrRequests = nrRequests;
        this.counters = counters;
    }

    PoolFile file() {
        return file;
    }

    /** A number for a process, or -1 when all are in use. */
    int attach(PoolWaiters waiters) {
        int client = used.nextClearBit(0);
        if (client >= PoolFile.CLIENTS) {
            return -1;
        }
        used.set(client);
        waiting.add(waiters);
        return client;
    }

    /** Nobody wakes its threads any more; the number stays taken. */
    void leave(PoolWaiters waiters) {
        waiting.remove(waiters);
    }

    /** Another process may have the number. */
    void release(int client) {
        used.clear(client);
        if (used.isEmpty()) {
            empty();
        }
    }

    /** How many credits the client has ever taken. */
    long taken(int direction, int client) {
        long word = file.word(direction);
        if (client(word) == client && word >>> SEQUENCE_SHIFT != 0) {
            return word >>> SEQUENCE_SHIFT;
        }
        return file.taken(direction, client) & SEQUENCE_MASK;
    }

    static long difference(long later, long earlier) {
        return (later - earlier) << SEQUENCE_SHIFT >> SEQUENCE_SHIFT;
    }

    int count(int direction) {
        return (int) (file.word(direction) & COUNT_MASK);
    }

    /** One request of the direction has ended: freed_request of ll_rw_blk.c. */
    void put(int direction) {
        long word = file.word(direction);
        long next = freed(word);
        while (!file.swapWord(direction, word, next)) {
            word = file.word(direction);
            next = freed(word);
        }
        if ((word & COUNT_MASK) == 0) {
            counters.poolRepairs.increment();
        }
        if ((next & COUNT_MASK) + 1 <= nrRequests) {
            wakeFirst(direction);
        }
    }

    /** A count below zero is some process's doing; the pool goes on from none. */
    private long freed(long word) {
        long count = word & COUNT_MASK;
        long next = count == 0 ? word : word - 1;
        return (next & COUNT_MASK) + 1 <= nrRequests ? next & ~FULL : next;
    }

    private void wakeFirst(int direction) {
        PoolWaiters first = null;
        long least = Long.MAX_VALUE;
        for (PoolWaiters each : waiting) {
            long ticket = each.firstTicket(direction);
            if (ticket < least) {
                least = ticket;
                first = each;
            }
        }
        if (first != null) {
            first.wakeFirst(direction);
        }
    }

    /** As queue_requests_store does: the mark is set anew and everybody looks again. */
    void resize(int newNrRequests) {
        nrRequests = newNrRequests;
        for (int direction : new int[] {READS, WRITES}) {
            long word = file.word(direction);
            while (!file.swapWord(direction, word, marked(word))) {
                word = file.word(direction);
            }
            for (PoolWaiters each : waiting) {
                each.lookAgain(direction);
            }
        }
    }

    private long marked(long word) {
        return (word & COUNT_MASK) + 1 > nrRequests ? word | FULL : word & ~FULL;
    }

    /** With nobody left, whatever the word says is left over from a process that spoilt it. */
    private void empty() {
        for (int direction : new int[] {READS, WRITES}) {
            long word = file.word(direction);
            if ((word & COUNT_MASK) != 0) {
                counters.poolRepairs.increment();
                file.swapWord(direction, word, word & ~(COUNT_MASK | FULL));
            }
        }
    }

    private static int client(long word) {
        return (int) (word >>> CLIENT_SHIFT) & (PoolFile.CLIENTS - 1);
    }
}
