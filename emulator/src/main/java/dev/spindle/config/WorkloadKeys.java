package dev.spindle.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The part of the table of keys that only simulations use: workloads and the hosts they run on. */
final class WorkloadKeys {
    static final String WORKLOAD = "workloads.*";
    static final String HOST = "hosts.*";

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long MB = 1_000_000;
    private static final long TIB = 1L << 40;
    private static final ValueType<Long> CPU = new Duration(0, Duration.SECOND);
    private static final ValueType<Long> MEMORY_SIZE = new Size(MIB, TIB);
    private static final ValueType<String> NAME =
            Text.matching("[^\\p{Cntrl}]{1,64}", "a name", "x");

    private static final List<Key<?>> ALL = new ArrayList<>();

    static final Key<String> DEVICE =
            add(
                    Key.derived(
                            WORKLOAD + ".device",
                            NAME,
                            "the only one",
                            "The device it is for, unless the command says another."));
    static final Key<String> WORKLOAD_HOST =
            add(
                    Key.derived(
                            WORKLOAD + ".host",
                            NAME,
                            "one of defaults",
                            "The host it runs on, one of `hosts`."));
    static final Key<WorkloadPattern> PATTERN =
            add(
                    Key.of(
                            WORKLOAD + ".pattern",
                            Choice.of(WorkloadPattern.class),
                            WorkloadPattern.SEQUENTIAL,
                            "Where requests go; mixed goes on but for jump; tree writes a tree of"
                                    + " files back and waits for the disc."));
    static final Key<WorkloadAccess> ACCESS =
            add(
                    Key.of(
                            WORKLOAD + ".access",
                            Choice.of(WorkloadAccess.class),
                            WorkloadAccess.AIO,
                            "aio is O_DIRECT with io_submit, sync O_DIRECT one by one, buffered"
                                    + " writes through the page cache."));
    static final Key<WorkloadFileSystem> FILE_SYSTEM =
            add(
                    Key.of(
                            WORKLOAD + ".file_system",
                            Choice.of(WorkloadFileSystem.class),
                            WorkloadFileSystem.RAW,
                            "Who lays the files out; raw puts one behind the other."));
    static final Key<Integer> READS =
            add(
                    Key.of(
                            WORKLOAD + ".reads",
                            WholeNumber.from(0, 100),
                            100,
                            "Percent of the requests that read; buffered and tree only write."));
    static final Key<Integer> JUMP =
            add(
                    Key.of(
                            WORKLOAD + ".jump",
                            WholeNumber.from(0, 100),
                            50,
                            "With pattern = mixed: percent of the requests that go elsewhere."));
    static final Key<List<Long>> BLOCK =
            add(
                    Key.of(
                            WORKLOAD + ".block",
                            new BlockSizes(512, 64 * MIB),
                            List.of(4 * KIB),
                            "The length of a request, drawn from those given; for buffered the unit"
                                    + " of the page cache."));
    static final Key<Long> TOTAL =
            add(
                    Key.of(
                            WORKLOAD + ".total",
                            new Size(4 * KIB, 16 * TIB),
                            64 * MIB,
                            "What all jobs move together."));
    static final Key<Long> AREA =
            add(
                    Key.derived(
                            WORKLOAD + ".area",
                            new Size(4 * KIB, 8192 * TIB - 512),
                            "the device; total behind a file system",
                            "From the device's start, or of the files: where requests go."));
    static final Key<Integer> FILES =
            add(
                    Key.of(
                            WORKLOAD + ".files",
                            WholeNumber.from(1, 65536),
                            1,
                            "Files behind a file system; their sizes are lognormal, by the seed."));
    static final Key<Integer> DEPTH =
            add(
                    Key.of(
                            WORKLOAD + ".depth",
                            WholeNumber.from(1, 65536),
                            1,
                            "Requests of a job under way at a time; 1 with sync."));
    static final Key<Integer> JOBS =
            add(
                    Key.of(
                            WORKLOAD + ".jobs",
                            WholeNumber.from(1, 256),
                            1,
                            "Programs that do the same at once, each its share of total."));
    static final Key<Long> THINK =
            add(
                    Key.of(
                            WORKLOAD + ".think",
                            new Duration(0, 3600 * Duration.SECOND),
                            0L,
                            "A job's pause before it makes the next request."));
    static final Key<Boolean> SYNC =
            add(
                    Key.of(
                            WORKLOAD + ".sync",
                            new Flag(),
                            false,
                            "The last thing is to wait until the drive has everything on the"
                                    + " medium; always so for tree."));
    static final Key<Integer> SEED =
            add(
                    Key.of(
                            WORKLOAD + ".seed",
                            WholeNumber.from(0, Integer.MAX_VALUE - 1000),
                            1,
                            "Of every random choice."));

    static final Key<Long> BIO =
            add(
                    Key.of(
                            HOST + ".bio",
                            new Size(4 * KIB, MIB),
                            128 * KIB,
                            "The most one bio holds; a longer request is several."));
    static final Key<Long> CPU_PER_PAGE =
            add(
                    Key.of(
                            HOST + ".cpu_per_page",
                            CPU,
                            0L,
                            "Faulting in, pinning and mapping 4 KiB for O_DIRECT."));
    static final Key<Long> CPU_PER_CALL =
            add(
                    Key.of(
                            HOST + ".cpu_per_call",
                            CPU,
                            0L,
                            "A system call, with sleeping and waking."));
    static final Key<Long> CPU_PER_REQUEST =
            add(
                    Key.of(
                            HOST + ".cpu_per_request",
                            CPU,
                            0L,
                            "Submission and completion of a request."));
    static final Key<Integer> IDLE_SWITCHES =
            add(
                    Key.of(
                            HOST + ".idle_switches",
                            WholeNumber.from(0, 1_000_000),
                            0,
                            "Context switches a second with no I/O at all."));
    static final Key<Long> MEMORY_RATE =
            add(
                    Key.of(
                            HOST + ".memory_rate",
                            new Rate(MB, 1_000_000 * MB),
                            350 * MB,
                            "At which a program fills pages."));
    static final Key<Long> CACHE =
            add(
                    Key.of(
                            HOST + ".cache",
                            MEMORY_SIZE,
                            900 * MB,
                            "The page cache; beyond it a new page takes the oldest one's place."));
    static final Key<Long> DIRTY =
            add(
                    Key.of(
                            HOST + ".dirty",
                            MEMORY_SIZE,
                            400 * MB,
                            "Dirty bytes beyond which whoever dirties pages writes some back."));
    static final Key<Long> BACKGROUND =
            add(
                    Key.of(
                            HOST + ".background",
                            MEMORY_SIZE,
                            100 * MB,
                            "Dirty bytes beyond which pdflush writes back."));
    static final Key<Double> METADATA_READS =
            add(
                    Key.of(
                            HOST + ".metadata_reads",
                            new Decimal(0, 100),
                            0.0,
                            "Reads ext2 makes of its own for each file and pass of write-back."));

    private WorkloadKeys() {}

    /** In the order of the documentation. */
    static List<Key<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static <T> Key<T> add(Key<T> key) {
        ALL.add(key);
        return key;
    }
}
