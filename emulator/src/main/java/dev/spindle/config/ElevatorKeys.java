package dev.spindle.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The lines of the table of keys that belong to the elevators, the plug and the wake order. */
final class ElevatorKeys {
    static final String DEADLINE = Keys.QUEUE + ".deadline";
    static final String ANTICIPATORY = Keys.QUEUE + ".anticipatory";
    static final String CFQ = Keys.QUEUE + ".cfq";

    private static final ValueType<Long> EXPIRE = new Duration(0, 60 * Duration.SECOND);
    private static final String READ_EXPIRE = "A read is not to wait longer than this.";
    private static final String WRITE_EXPIRE = "Nor a write.";

    private static final List<Key<?>> ALL = new ArrayList<>();

    static final Key<WakeOrder> WAKE_ORDER =
            add(
                    Key.of(
                            Keys.QUEUE + ".wake_order",
                            Choice.of(WakeOrder.class),
                            WakeOrder.FIFO,
                            "Which sleeper a freed request wakes."));
    static final Key<Integer> WAKE_SEED =
            add(
                    Key.of(
                            Keys.QUEUE + ".wake_seed",
                            WholeNumber.from(0, Integer.MAX_VALUE),
                            1,
                            "The seed of wake_order = random."));
    static final Key<Boolean> PLUG =
            add(
                    Key.of(
                            Keys.QUEUE + ".plug",
                            new Flag(),
                            false,
                            "A request that finds the queue empty waits for company, as in Linux 2.6; off:"
                                    + " only until the end of the batch it came in."));
    static final Key<Integer> UNPLUG_THRESHOLD =
            add(
                    Key.of(
                            Keys.QUEUE + ".unplug_threshold",
                            WholeNumber.from(1, 65536),
                            4,
                            "So many waiting commands end that wait."));
    static final Key<Long> UNPLUG_DELAY =
            add(
                    Key.of(
                            Keys.QUEUE + ".unplug_delay",
                            new Duration(0, Duration.SECOND),
                            3 * Duration.MS,
                            "After this long it ends by itself."));

    static final Key<Long> DEADLINE_READ_EXPIRE =
            add(Key.of(DEADLINE + ".read_expire", EXPIRE, 500 * Duration.MS, READ_EXPIRE));
    static final Key<Long> DEADLINE_WRITE_EXPIRE =
            add(Key.of(DEADLINE + ".write_expire", EXPIRE, 5 * Duration.SECOND, WRITE_EXPIRE));
    static final Key<Integer> WRITES_STARVED =
            add(
                    Key.of(
                            DEADLINE + ".writes_starved",
                            WholeNumber.from(0, 1000),
                            2,
                            "How often reads may go before waiting writes."));
    static final Key<Integer> FIFO_BATCH =
            add(
                    Key.of(
                            DEADLINE + ".fifo_batch",
                            WholeNumber.from(1, 65536),
                            16,
                            "The longest run of commands before deadlines are looked at."));

    static final Key<Long> AS_READ_EXPIRE =
            add(Key.of(ANTICIPATORY + ".read_expire", EXPIRE, 125 * Duration.MS, READ_EXPIRE));
    static final Key<Long> AS_WRITE_EXPIRE =
            add(Key.of(ANTICIPATORY + ".write_expire", EXPIRE, 250 * Duration.MS, WRITE_EXPIRE));
    static final Key<Long> READ_BATCH_EXPIRE =
            add(
                    Key.of(
                            ANTICIPATORY + ".read_batch_expire",
                            EXPIRE,
                            500 * Duration.MS,
                            "How long reads go on while writes wait."));
    static final Key<Long> WRITE_BATCH_EXPIRE =
            add(
                    Key.of(
                            ANTICIPATORY + ".write_batch_expire",
                            EXPIRE,
                            125 * Duration.MS,
                            "How long writes go on while reads wait."));
    static final Key<Long> ANTIC_EXPIRE =
            add(
                    Key.of(
                            ANTICIPATORY + ".antic_expire",
                            new Duration(0, Duration.SECOND),
                            Duration.SECOND / 150,
                            "How long the drive is kept idle for a submitter's next read."));

    static final Key<Integer> QUANTUM =
            add(
                    Key.of(
                            CFQ + ".quantum",
                            WholeNumber.from(1, 65536),
                            4,
                            "Commands handed out in one round."));
    static final Key<Integer> QUEUED =
            add(
                    Key.of(
                            CFQ + ".queued",
                            WholeNumber.from(1, 65536),
                            8,
                            "Requests a submitter may always have."));
    static final Key<Long> CFQ_READ_EXPIRE =
            add(Key.of(CFQ + ".fifo_expire_r", EXPIRE, 500 * Duration.MS, READ_EXPIRE));
    static final Key<Long> CFQ_WRITE_EXPIRE =
            add(Key.of(CFQ + ".fifo_expire_w", EXPIRE, 5 * Duration.SECOND, WRITE_EXPIRE));
    static final Key<Integer> BACK_SEEK_MAX =
            add(
                    Key.of(
                            CFQ + ".back_seek_max",
                            WholeNumber.from(0, 1 << 30),
                            16384,
                            "How far back the head may go, in KiB."));
    static final Key<Integer> BACK_SEEK_PENALTY =
            add(
                    Key.of(
                            CFQ + ".back_seek_penalty",
                            WholeNumber.from(1, 1000),
                            2,
                            "What a step back costs, in steps forward."));

    private ElevatorKeys() {}

    static List<Key<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static <T> Key<T> add(Key<T> key) {
        ALL.add(key);
        return key;
    }
}
