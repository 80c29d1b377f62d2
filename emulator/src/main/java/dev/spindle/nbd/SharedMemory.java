package dev.spindle.nbd;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all sessions of a server have for data under way. Used by all loops; holds
 * nothing but a sum and who waits.
 *
 * <p>A session may hold as much as would be left over for others, and no more (Choudhury and Hahne,
 * "Dynamic queue length thresholds in a shared memory ATM switch", 1996). So one alone gets half of
 * it, and however many sit on theirs because their clients have stopped in the middle, a part is
 * left for the next one.
 */
final class SharedMemory {
    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    SharedMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    long usedBytes() {
        return usedBytes.get();
    }

    /** More for a session that has {@code ownBytes}; false, and nothing, if that is too much. */
    boolean grow(long ownBytes, long moreBytes) {
        long used = usedBytes.get();
        while (ownBytes + moreBytes <= limitBytes - used - moreBytes) {
            if (usedBytes.compareAndSet(used, used + moreBytes)) {
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }

    /** Everybody who waits is told, once. */
    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
        if (!waiting.isEmpty()) {
            int most = waiting.size();
            for (int i = 0; i < most; i++) {
                Runnable next = waiting.poll();
                if (next == null) {
                    return;
                }
                next.run();
            }
        }
    }

    /**
     * To be told, on whatever thread, at the next {@link #giveBack}. What was given back just
     * before has told nobody, so whoever calls this looks again afterwards.
     */
    void await(Runnable told) {
        waiting.add(told);
    }

    void forget(Runnable told) {
        waiting.remove(told);
    }
}
