package dev.spindle.queue;

/** What can happen to a request, or a part of it, on its way into the queue. */
public enum BioStep {
    /** It has arrived. */
    QUEUED,
    /** It is too long for one command: this is the part before the cut. */
    SPLIT,
    /** Joined a waiting command that it follows. */
    BACK_MERGED,
    /** Joined a waiting command that it precedes. */
    FRONT_MERGED,
    /** Has got a request from the pool. */
    GOT_REQUEST,
    /** Its submitter sleeps for want of one. */
    SLEPT,
    /** It has ended where no command of the drive's says so. */
    ENDED
}
