package dev.spindle.packet;

/** What a packet writer counts; those the driver had are named as in its sysfs folder. */
public enum PacketCounter {
    PACKETS_STARTED(0, "stat/packets_started", "packets whose missing frames were looked for"),
    PACKETS_FINISHED(1, "stat/packets_finished", "packets whose write has ended"),
    KB_WRITTEN(2, "stat/kb_written", "KiB the host has written"),
    KB_READ(3, "stat/kb_read", "KiB the host has read"),
    KB_READ_GATHER(4, "stat/kb_read_gather", "KiB read to complete packets"),
    PARTIAL(5, "partial_packets", "packets with missing frames"),
    CACHED(6, "cached_packets", "of those, packets whose frames were still in memory"),
    ATTACHED(7, "attached", "pieces that joined a packet in work"),
    SPLITS(8, "splits", "pieces into which requests were cut at zones, beyond the first"),
    TURNS(9, "turns", "times the drive was turned from writing to reading"),
    SPEED_CHANGES(10, "speed_changes", "times the read speed was set"),
    RECOVERIES(11, "recoveries", "packets that failed");

    private final int id;
    private final String label;
    private final String sentence;

    PacketCounter(int id, String label, String sentence) {
        this.id = id;
        this.label = label;
        this.sentence = sentence;
    }

    int id() {
        return id;
    }

    /** True for what the driver's file stat/reset made zero. */
    boolean isReset() {
        return label.startsWith("stat/");
    }

    public String label() {
        return label;
    }

    public String sentence() {
        return sentence;
    }
}
