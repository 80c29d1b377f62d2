package dev.spindle.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * The table of keys: every key there is, with its type, default, range and sentence. Parsing, error
 * texts, the tables in docs/configuration.md and live tuning are all made from it.
 */
final class Keys {
    static final String LIMITS = "server.limits";
    static final String DRIVE = "drives.*";
    static final String ZONE = "drives.*.zones[]";
    static final String SEEK = "drives.*.seek";
    static final String SEEK_POINT = "drives.*.seek.table[]";
    static final String OVERHEAD = "drives.*.overhead";
    static final String BUS = "drives.*.bus";
    static final String CACHE = "drives.*.cache";
    static final String DRIVE_QUEUE = "drives.*.queue";
    static final String DEVICE = "devices.*";
    static final String STORE = "devices.*.store";
    static final String QUEUE = "devices.*.queue";

    static final int MAX_DEVICES = 1024;
    static final int MAX_LIST = 1024;
    static final int MAX_SECTORS_KB_LIMIT = 65536;

    private static final String LINE = "[^\\p{Cntrl}]";
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long MAX_SIZE_BYTES = 8191L << 50;

    private static final List<Key<?>> ALL = new ArrayList<>();

    static final Key<Long> HANDSHAKE_DEADLINE =
            add(
                    Key.of(
                            LIMITS + ".handshake_deadline",
                            new Duration(100 * Duration.MS, 600 * Duration.SECOND),
                            10 * Duration.SECOND,
                            "A client that has not chosen an export by then is cut off."));
    static final Key<Long> PAYLOAD_DEADLINE =
            add(
                    Key.of(
                            LIMITS + ".payload_deadline",
                            new Duration(Duration.SECOND, 3600 * Duration.SECOND),
                            120 * Duration.SECOND,
                            "A client whose write has not come whole by then is cut off."));
    static final Key<Integer> MAX_OPTIONS =
            add(
                    Key.of(
                            LIMITS + ".max_options",
                            WholeNumber.from(1, 4096),
                            64,
                            "Options a client may send in its handshake."));
    static final Key<Long> MAX_REQUEST =
            add(
                    Key.of(
                            LIMITS + ".max_request",
                            new Size(MIB, 64 * MIB),
                            32 * MIB,
                            "The longest read or write a client may ask for."));
    static final Key<Integer> REQUESTS_IN_FLIGHT =
            add(
                    Key.of(
                            LIMITS + ".requests_in_flight",
                            WholeNumber.from(1, 65536),
                            8192,
                            "Requests under way per connection; beyond it the socket is not"
                                    + " read."));
    static final Key<Long> BYTES_IN_FLIGHT =
            add(
                    Key.of(
                            LIMITS + ".bytes_in_flight",
                            new Size(MIB, 1024 * MIB),
                            640 * MIB,
                            "Data under way per connection, at least max_request."));
    static final Key<Long> MEMORY =
            add(
                    Key.of(
                            LIMITS + ".memory",
                            new Size(128 * MIB, 2048 * MIB),
                            1536 * MIB,
                            "Data under way on all connections, at least four times max_request;"
                                    + " one of them gets half at most."));
    static final Key<Long> IDLE =
            add(
                    Key.of(
                            LIMITS + ".idle",
                            new Duration(0, 24 * 3600 * Duration.SECOND),
                            0L,
                            "A client that has sent nothing for so long, and waits for nothing, is"
                                    + " cut off; 0 ns for never."));
    static final Key<Integer> CONNECTIONS =
            add(
                    Key.of(
                            LIMITS + ".connections",
                            WholeNumber.from(1, 65536),
                            4096,
                            "Connections in all; the next one is refused."));

    static final Key<DriveKind> DRIVE_KIND =
            add(
                    Key.required(
                            DRIVE + ".kind",
                            Choice.of(DriveKind.class),
                            "disk has mechanics; optical writes discs; null takes no time."));
    static final Key<String> MODEL =
            add(
                    Key.derived(
                            DRIVE + ".model",
                            Text.matching(LINE + "{1,40}", "1 to 40 characters of one line", "x"),
                            "the profile's name",
                            "What the drive calls itself."));
    static final Key<Long> LOGICAL_BLOCK =
            add(
                    Key.of(
                            DRIVE + ".logical_block",
                            new Size(512, 4 * KIB),
                            512L,
                            "The unit of every offset and length; a power of two."));
    static final Key<Long> PHYSICAL_BLOCK =
            add(
                    Key.derived(
                            DRIVE + ".physical_block",
                            new Size(512, MIB),
                            "logical_block",
                            "What the medium writes without reading first; a power of two."));
    static final Key<Integer> MAX_HW_SECTORS_KB =
            add(
                    Key.required(
                            DRIVE + ".max_hw_sectors_kb",
                            WholeNumber.from(4, MAX_SECTORS_KB_LIMIT),
                            "The most, in KiB, the controller moves in one command."));
    static final Key<String> DEVICE_DRIVE =
            add(
                    Key.required(
                            DEVICE + ".drive",
                            Text.matching(LINE + "{1,64}", "a profile of drives", "x"),
                            "The drive profile."));
    static final Key<Long> SIZE =
            add(
                    Key.derived(
                            DEVICE + ".size",
                            new Size(512, MAX_SIZE_BYTES),
                            "*required*, or the disc's",
                            "Its capacity, a multiple of the logical block."));
    static final Key<Boolean> READ_ONLY =
            add(Key.of(DEVICE + ".read_only", new Flag(), false, "Takes no writes."));
    static final Key<String> PATH =
            add(
                    Key.derived(
                            DEVICE + ".path",
                            Text.matching(
                                    "(/(?!\\.{1,2}(/|$))[^/\\p{Cntrl}]{1,255}){1,15}",
                                    "an absolute path with no empty, . or .. part",
                                    "/dev/x"),
                            "/dev/NAME",
                            "Where programs under the shim find it."));
    static final Key<String> DESCRIPTION =
            add(
                    Key.derived(
                            DEVICE + ".description",
                            Text.matching(LINE + "{1,256}", "1 to 256 characters of one line", "x"),
                            "none",
                            "A line for people."));
    static final Key<String> TRACE =
            add(
                    Key.derived(
                            DEVICE + ".trace",
                            Text.matching(LINE + "{1,4095}", "a path", "x"),
                            "none",
                            "A blktrace of all that happens is written to this path, with"
                                    + " .blktrace.0 behind it, from the folder of the conf file"
                                    + " that names it."));

    static final Key<Double> TIME_SCALE =
            add(
                    Key.of(
                            DEVICE + ".time_scale",
                            new Factor(0.01, 100),
                            1.0,
                            "How many times as fast as the wall's its time passes."));
    static final Key<Long> WAKE_AHEAD =
            add(
                    Key.of(
                            DEVICE + ".wake_ahead",
                            new Duration(0, Duration.MS),
                            Duration.MS / 2,
                            "How long before a deadline its loop may stay awake so as not to be"
                                    + " late, at most; 0 sleeps to the end."));

    static final Key<StoreKind> STORE_TYPE =
            add(
                    Key.of(
                            STORE + ".type",
                            Choice.of(StoreKind.class),
                            StoreKind.MEMORY,
                            "memory is lost when the daemon ends; file is an image file."));
    static final Key<String> STORE_PATH =
            add(
                    Key.required(
                            STORE + ".path",
                            Text.matching(LINE + "{1,4095}", "a path", "x"),
                            "With type = file: the image, from the folder of the conf file that"
                                    + " names it."));
    static final Key<Boolean> STORE_CREATE =
            add(
                    Key.of(
                            STORE + ".create",
                            new Flag(),
                            true,
                            "With type = file: a missing image is created, sparse."));
    static final Key<Boolean> STORE_HUGE_PAGES =
            add(
                    Key.of(
                            STORE + ".huge_pages",
                            new Flag(),
                            false,
                            "With type = memory: memory is taken 2 MiB at a time, which is faster"
                                    + " for much data and wasteful for a few blocks here and"
                                    + " there."));

    static final Key<Integer> NR_REQUESTS =
            add(
                    Key.of(
                            QUEUE + ".nr_requests",
                            WholeNumber.from(4, 65536),
                            128,
                            "Requests in the pool, for reads and for writes each."));
    static final Key<Integer> MAX_SECTORS_KB =
            add(
                    Key.derived(
                            QUEUE + ".max_sectors_kb",
                            WholeNumber.from(4, MAX_SECTORS_KB_LIMIT),
                            "max_hw_sectors_kb",
                            "The most, in KiB, in one command; what is longer is cut up. At most"
                                    + " the drive's max_hw_sectors_kb."));
    static final Key<ElevatorKind> ELEVATOR =
            add(
                    Key.of(
                            QUEUE + ".elevator",
                            Choice.of(ElevatorKind.class),
                            ElevatorKind.NOOP,
                            "The I/O scheduler."));
    static final Key<Boolean> HARD_CAP =
            add(
                    Key.of(
                            QUEUE + ".hard_cap",
                            new Flag(),
                            true,
                            "Nobody goes beyond 3/2 nr_requests, as in Linux 2.6.13; off as"
                                    + " before."));
    static final Key<OptionalInt> CONGESTION_ON =
            add(
                    Key.of(
                            QUEUE + ".congestion_on",
                            new AutoNumber(1, 1_000_000),
                            OptionalInt.empty(),
                            "Requests at which the queue calls itself congested; auto is 7/8"
                                    + " nr_requests + 1."));
    static final Key<OptionalInt> CONGESTION_OFF =
            add(
                    Key.of(
                            QUEUE + ".congestion_off",
                            new AutoNumber(1, 1_000_000),
                            OptionalInt.empty(),
                            "It no longer does below this; auto is 13/16 nr_requests - 1. At most"
                                    + " congestion_on."));
    static final Key<Integer> RING_SIZE =
            add(
                    Key.of(
                            QUEUE + ".ring_size",
                            WholeNumber.powerOfTwo(64, 65536),
                            4096,
                            "Slots of the ring between front ends and the device."));

    static {
        ALL.addAll(ElevatorKeys.all());
    }

    private static final List<Key<?>> EVERY = every();

    private Keys() {}

    /**
     * The server's keys come first. The disk's stand between those of any drive and those of a
     * device.
     */
    private static List<Key<?>> every() {
        List<Key<?>> every = new ArrayList<>(ServerKeys.all());
        every.addAll(ShmKeys.all());
        every.addAll(ALL);
        every.addAll(every.indexOf(DEVICE_DRIVE), DiskKeys.all());
        every.addAll(OpticalKeys.all());
        every.addAll(WorkloadKeys.all());
        return Collections.unmodifiableList(every);
    }

    /** In the order of the documentation. */
    static List<Key<?>> all() {
        return EVERY;
    }

    private static <T> Key<T> add(Key<T> key) {
        ALL.add(key);
        return key;
    }
}
