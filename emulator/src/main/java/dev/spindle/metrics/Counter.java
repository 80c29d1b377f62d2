package dev.spindle.metrics;

/** What is counted for each device. Ids are never reused; stat shows the labels. */
public enum Counter {
    READS(0, "reads", "READ requests completed"),
    WRITES(1, "writes", "WRITE and WRITE_ZEROES requests completed"),
    FLUSHES(2, "flushes", "FLUSH requests completed"),
    DISCARDS(3, "discards", "DISCARD requests completed"),
    READ_BYTES(4, "read_bytes", "bytes of completed READ requests"),
    WRITE_BYTES(5, "write_bytes", "bytes of completed WRITE and WRITE_ZEROES requests"),
    ERRORS(6, "errors", "requests that ended with an error"),
    COMMANDS(7, "commands", "commands the drive has carried out"),
    PARTS(8, "parts", "pieces into which requests were cut by max_sectors_kb"),
    MERGES(9, "merges", "pieces that joined a command already queued"),
    SLEEPS(10, "sleeps", "times a submitter went to sleep for want of a free request"),
    SLEEP_NS(11, "sleep_ns", "time submitters spent asleep for want of a free request"),
    READ_CONGESTED(12, "read_congested", "times the read side was marked congested"),
    WRITE_CONGESTED(13, "write_congested", "times the write side was marked congested"),
    RING_FULL(
            14,
            "ring_full",
            "requests turned away because the ring was full, to be published again"),
    READ_CONGESTED_NS(15, "read_congested_ns", "time the read side was marked congested"),
    WRITE_CONGESTED_NS(16, "write_congested_ns", "time the write side was marked congested");

    private final int id;
    private final String label;
    private final String sentence;

    Counter(int id, String label, String sentence) {
        this.id = id;
        this.label = label;
        this.sentence = sentence;
    }

    public int id() {
        return id;
    }

    public String label() {
        return label;
    }

    public String sentence() {
        return sentence;
    }
}
