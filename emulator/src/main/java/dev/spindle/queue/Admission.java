package dev.spindle.queue;

/** What a submitter has to wait for before a machine takes its request. */
public enum Admission {
    /** A free one of nr_requests, as in Linux's request queues. */
    POOL,
    /** Nothing: the machine takes requests as they are, as Linux's bio-based drivers did. */
    ALL,
    /** The same for reads; writers sleep, by a rule of the machine's own. */
    READS
}
