package dev.spindle.nbd;

/**
 * One session's part of the {@link SharedMemory}. Owned by the session; only {@code wake} is called
 * from elsewhere.
 *
 * <p>The first {@link #RESERVE_BYTES} are each session's own and not counted, so that short
 * requests never wait for what others do.
 */
final class MemoryClaim {
    /** A receive buffer, a slab of replies, and not too little besides. */
    static final int RESERVE_BYTES = 512 << 10;

    private final SharedMemory memory;
    private final Runnable wake;
    private long claimedBytes;
    private boolean isWaiting;

    /** {@code wake} is to lead to {@link #woken} and to another try, on the session's loop. */
    MemoryClaim(SharedMemory memory, Runnable wake) {
        this.memory = memory;
        this.wake = wake;
    }

    /**
     * True if the session may now hold that much; if not, it is woken when that may have changed.
     */
    boolean reaches(long neededBytes) {
        if (grows(neededBytes)) {
            return true;
        }
        if (!isWaiting) {
            isWaiting = true;
            memory.await(wake);
        }
        return grows(neededBytes);
    }

    private boolean grows(long neededBytes) {
        long moreBytes = neededBytes - RESERVE_BYTES - claimedBytes;
        if (moreBytes <= 0) {
            return true;
        }
        if (!memory.grow(claimedBytes, moreBytes)) {
            return false;
        }
        claimedBytes += moreBytes;
        return true;
    }

    void woken() {
        isWaiting = false;
    }

    /** Gives back what is beyond. */
    void shrinkTo(long neededBytes) {
        long surplusBytes = claimedBytes - Math.max(0, neededBytes - RESERVE_BYTES);
        if (surplusBytes > 0) {
            claimedBytes -= surplusBytes;
            memory.giveBack(surplusBytes);
        }
    }

    boolean isEmpty() {
        return claimedBytes == 0;
    }

    /** Of a session that is over. */
    void end() {
        memory.forget(wake);
        shrinkTo(0);
    }
}
