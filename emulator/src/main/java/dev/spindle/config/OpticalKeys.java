package dev.spindle.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The part of the table of keys that belongs to optical drives, their discs and packet writing. */
final class OpticalKeys {
    static final String DISC = "devices.*.disc";
    static final String PACKET = "devices.*.packet";

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final ValueType<Long> ACCESS = new Duration(0, 10 * Duration.SECOND);

    private static final List<Key<?>> ALL = new ArrayList<>();

    static final Key<MediumType> MEDIUM =
            add(
                    Key.required(
                            Keys.DRIVE + ".medium",
                            Choice.of(MediumType.class),
                            "With kind = optical: the disc it writes."));
    static final Key<Double> SPEED =
            add(
                    Key.required(
                            Keys.DRIVE + ".speed",
                            new Speed(0.5, 99),
                            "With kind = optical: at which it writes; 1x is 153.6 kB/s on CD and"
                                    + " 1385 kB/s on DVD."));
    static final Key<List<Double>> WRITE_SPEEDS =
            add(
                    Key.derived(
                            Keys.DRIVE + ".write_speeds",
                            new SpeedList(new Speed(0.5, 99), 16),
                            "speed",
                            "With kind = optical: all that it can be tuned to write at."));
    static final Key<Boolean> VERIFY =
            add(
                    Key.derived(
                            Keys.DRIVE + ".verify",
                            new Flag(),
                            "on with dvd-ram",
                            "With kind = optical: reads each packet back after it has written it,"
                                    + " so that writing takes twice as long."));
    static final Key<Double> MAX_READ_SPEED =
            add(
                    Key.derived(
                            Keys.DRIVE + ".max_read_speed",
                            new Speed(0.5, 99),
                            "speed",
                            "With kind = optical: the most it reads at, once asked to."));
    static final Key<Long> COMMAND =
            add(
                    Key.of(
                            Keys.DRIVE + ".command",
                            new Duration(0, Duration.SECOND),
                            Duration.MS / 2,
                            "With kind = optical: overhead of a command."));
    static final Key<Long> READ_ACCESS =
            add(
                    Key.required(
                            Keys.DRIVE + ".read_access",
                            ACCESS,
                            "With kind = optical: to find the place of a read that does not follow"
                                    + " the one before."));
    static final Key<Long> WRITE_RESTART =
            add(
                    Key.required(
                            Keys.DRIVE + ".write_restart",
                            ACCESS,
                            "With kind = optical: until the laser writes after a gap in place or"
                                    + " time, or after a read."));
    static final Key<Long> START_UP =
            add(
                    Key.of(
                            Keys.DRIVE + ".start_up",
                            new Duration(0, 60 * Duration.SECOND),
                            0L,
                            "With kind = optical: more of that before the first write: spinning up,"
                                    + " finding the laser's power."));
    static final Key<Long> BUFFER =
            add(
                    Key.of(
                            Keys.DRIVE + ".buffer",
                            new Size(128 * KIB, 1024 * MIB),
                            2 * MIB,
                            "With kind = optical: the write buffer, first in, first out."));

    static final Key<DiscState> DISC_STATE =
            add(
                    Key.of(
                            DISC + ".state",
                            Choice.of(DiscState.class),
                            DiscState.FORMATTED,
                            "All but formatted takes no writes."));
    static final Key<Long> DISC_PACKET =
            add(
                    Key.derived(
                            DISC + ".packet",
                            new Size(0, MIB),
                            "the medium's",
                            "The packet size the disc claims; 0 and more than 256 KiB are refused"
                                    + " when it is opened for writing."));

    static final Key<Boolean> PACKET_ENABLED =
            add(
                    Key.of(
                            PACKET + ".enabled",
                            new Flag(),
                            true,
                            "Puts the packet writer before the drive; off leaves the bare drive."));
    static final Key<Integer> PACKETS =
            add(
                    Key.of(
                            PACKET + ".packets",
                            WholeNumber.from(1, 128),
                            8,
                            "Packets in work at once."));
    static final Key<PacketPolicyKind> POLICY =
            add(
                    Key.of(
                            PACKET + ".policy",
                            Choice.of(PacketPolicyKind.class),
                            PacketPolicyKind.BLOCK,
                            "When the write queue is long: none; flag says so to those who care;"
                                    + " block puts writers to sleep."));
    static final Key<Integer> CONGESTION_ON =
            add(
                    Key.of(
                            PACKET + ".congestion_on",
                            WholeNumber.from(-1, Integer.MAX_VALUE),
                            10_000,
                            "Queued pieces from which it is long, made 500 to 1000000; 0 or -1 for"
                                    + " never."));
    static final Key<Integer> CONGESTION_OFF =
            add(
                    Key.of(
                            PACKET + ".congestion_off",
                            WholeNumber.from(-1, Integer.MAX_VALUE),
                            9_000,
                            "It no longer is at this, made at least 100 and at most congestion_on"
                                    + " less 100; 0 or -1 for the latter."));
    static final Key<PacketSchedulerKind> SCHEDULER =
            add(
                    Key.of(
                            PACKET + ".scheduler",
                            Choice.of(PacketSchedulerKind.class),
                            PacketSchedulerKind.AT_SEEK,
                            "When to read in between: when_stuck as Linux up to 2.6.12, at_seek"
                                    + " since 2.6.13."));
    static final Key<Long> WAIT =
            add(
                    Key.of(
                            PACKET + ".wait",
                            new Duration(0, 10 * Duration.SECOND),
                            5 * Duration.MS,
                            "An incomplete packet waits so long for more."));

    private OpticalKeys() {}

    /** In the order of the documentation. */
    static List<Key<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static <T> Key<T> add(Key<T> key) {
        ALL.add(key);
        return key;
    }
}
