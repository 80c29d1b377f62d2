package dev.spindle.testbench.simulate;

/** What a simulation measures. Labels are those of the JSON. */
enum Measure {
    RATE("mb_per_s", "MB/s", "moved from the first request to the end"),
    SECONDS("seconds", "s", "from the first request to the end"),
    REQUESTS("requests", "", "the programs have made; bios for a tree"),
    LATENCY_MEAN("latency_mean_ms", "ms", "of a request, from its submission to its end"),
    LATENCY_P50("latency_p50_ms", "ms", "half of them took no longer"),
    LATENCY_P90("latency_p90_ms", "ms", "nine of ten took no longer"),
    LATENCY_P99("latency_p99_ms", "ms", "99 of 100 took no longer"),
    LATENCY_MAX("latency_max_ms", "ms", "the longest"),
    SUBMIT("submit_s", "s", "a program spent in submitting, asleep or at work"),
    WAIT("wait_s", "s", "of its time that remained: waiting, thinking, syncing"),
    CPU("cpu_s", "s", "the programs' processors worked"),
    DEPTH_MEAN("depth_mean", "", "requests the drive's queue had given out, over time"),
    DEPTH_MAX("depth_max", "", "the most at once"),
    CONGESTED_ON("congested_on", "", "times the device called itself congested"),
    CONGESTED_OFF("congested_off", "", "times it no longer did"),
    CONGESTED("congested_s", "s", "it did"),
    SLEEPS("sleeps", "", "times a program slept because nobody was let in"),
    SLEEP("sleep_s", "s", "programs slept so, all together"),
    COMMANDS("commands", "", "the drive has carried out"),
    MERGES("merges", "", "pieces that joined a command already waiting"),
    ERRORS("errors", "", "requests that ended with an error"),
    PACKETS("packets", "", "written to the disc"),
    PARTIAL("partial_packets", "", "of those, with something missing"),
    GATHERED("gathered_kib", "KiB", "read to complete them"),
    TURNS("turns", "", "times the drive was turned from writing to reading"),
    PACKET_QUEUE_MAX("packet_queue_max", "", "pieces that waited for a packet, at the most");

    private final String label;
    private final String unit;
    private final String sentence;

    Measure(String label, String unit, String sentence) {
        this.label = label;
        this.unit = unit;
        this.sentence = sentence;
    }

    String label() {
        return label;
    }

    String unit() {
        return unit;
    }

    String sentence() {
        return sentence;
    }
}
