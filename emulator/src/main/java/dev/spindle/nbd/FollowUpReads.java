package dev.spindle.nbd;

/**
 * Whether a socket that has just been read empty is read once more right after its requests are
 * answered. Where a client keeps many requests in flight the next ones are usually there by then,
 * and a pass of the loop with its wait for the socket is saved. A read in vain costs one system
 * call; each doubles the number of times that none is tried. Owned by the loop of its channel.
 */
final class FollowUpReads {
    /** Reads in a row, before the loop looks after its timers and other sockets. */
    static final int MAX_READS = 4;

    static final int LONGEST_PAUSE = 63;

    private int reads;
    private boolean isTrying;
    private int pause;
    private int leftOfPause;

    /** The socket is readable; the first read follows. */
    void begin() {
        reads = 0;
        isTrying = false;
    }

    /** A read has ended, with something or nothing. */
    void hasRead(boolean something) {
        reads++;
        if (isTrying) {
            isTrying = false;
            pause = something ? 0 : Math.min(LONGEST_PAUSE, 2 * pause + 1);
            leftOfPause = pause;
        }
    }

    /** True if another is to follow. */
    boolean isWorthATry() {
        if (reads >= MAX_READS) {
            return false;
        }
        if (leftOfPause > 0) {
            leftOfPause--;
            return false;
        }
        isTrying = true;
        return true;
    }
}
