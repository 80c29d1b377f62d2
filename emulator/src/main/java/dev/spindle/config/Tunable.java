package dev.spindle.config;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The keys that can be changed while a device runs, by the same rules as in a conf file. */
public enum Tunable {
    NR_REQUESTS("queue/nr_requests", Keys.NR_REQUESTS),
    MAX_SECTORS_KB("queue/max_sectors_kb", Keys.MAX_SECTORS_KB),
    HARD_CAP("queue/hard_cap", Keys.HARD_CAP),
    CONGESTION_ON("queue/congestion_on", Keys.CONGESTION_ON),
    CONGESTION_OFF("queue/congestion_off", Keys.CONGESTION_OFF),
    ELEVATOR("queue/elevator", Keys.ELEVATOR),
    READ_AHEAD("drive/read_ahead", DiskKeys.READ_AHEAD),
    WRITE_BACK("drive/write_back", DiskKeys.WRITE_BACK),
    WAKE_ORDER("queue/wake_order", ElevatorKeys.WAKE_ORDER),
    WAKE_SEED("queue/wake_seed", ElevatorKeys.WAKE_SEED),
    PLUG("queue/plug", ElevatorKeys.PLUG),
    UNPLUG_THRESHOLD("queue/unplug_threshold", ElevatorKeys.UNPLUG_THRESHOLD),
    UNPLUG_DELAY("queue/unplug_delay", ElevatorKeys.UNPLUG_DELAY),
    DEADLINE_READ_EXPIRE("queue/deadline/read_expire", ElevatorKeys.DEADLINE_READ_EXPIRE),
    DEADLINE_WRITE_EXPIRE("queue/deadline/write_expire", ElevatorKeys.DEADLINE_WRITE_EXPIRE),
    WRITES_STARVED("queue/deadline/writes_starved", ElevatorKeys.WRITES_STARVED),
    FIFO_BATCH("queue/deadline/fifo_batch", ElevatorKeys.FIFO_BATCH),
    AS_READ_EXPIRE("queue/anticipatory/read_expire", ElevatorKeys.AS_READ_EXPIRE),
    AS_WRITE_EXPIRE("queue/anticipatory/write_expire", ElevatorKeys.AS_WRITE_EXPIRE),
    READ_BATCH_EXPIRE("queue/anticipatory/read_batch_expire", ElevatorKeys.READ_BATCH_EXPIRE),
    WRITE_BATCH_EXPIRE("queue/anticipatory/write_batch_expire", ElevatorKeys.WRITE_BATCH_EXPIRE),
    ANTIC_EXPIRE("queue/anticipatory/antic_expire", ElevatorKeys.ANTIC_EXPIRE),
    QUANTUM("queue/cfq/quantum", ElevatorKeys.QUANTUM),
    QUEUED("queue/cfq/queued", ElevatorKeys.QUEUED),
    CFQ_READ_EXPIRE("queue/cfq/fifo_expire_r", ElevatorKeys.CFQ_READ_EXPIRE),
    CFQ_WRITE_EXPIRE("queue/cfq/fifo_expire_w", ElevatorKeys.CFQ_WRITE_EXPIRE),
    BACK_SEEK_MAX("queue/cfq/back_seek_max", ElevatorKeys.BACK_SEEK_MAX),
    BACK_SEEK_PENALTY("queue/cfq/back_seek_penalty", ElevatorKeys.BACK_SEEK_PENALTY),
    PACKET_POLICY("packet/policy", OpticalKeys.POLICY),
    PACKET_CONGESTION_ON("packet/congestion_on", OpticalKeys.CONGESTION_ON),
    PACKET_CONGESTION_OFF("packet/congestion_off", OpticalKeys.CONGESTION_OFF),
    PACKET_SCHEDULER("packet/scheduler", OpticalKeys.SCHEDULER),
    PACKET_WAIT("packet/wait", OpticalKeys.WAIT),
    TIME_SCALE("time_scale", Keys.TIME_SCALE),
    SPEED("drive/speed", OpticalKeys.SPEED);

    private final String path;

    @SuppressWarnings("ImmutableEnumChecker") // a key is a record of values that do not change
    private final Key<?> key;

    Tunable(String path, Key<?> key) {
        this.path = path;
        this.key = key;
    }

    /**
     * By its path, or by that without what stands before its first slash: the first that has it.
     */
    public static Tunable of(String name) {
        for (Tunable tunable : values()) {
            if (tunable.path.equals(name) || tunable.shortName().equals(name)) {
                return tunable;
            }
        }
        List<String> names =
                name.contains("/")
                        ? Arrays.stream(values()).map(Tunable::path).toList()
                        : Arrays.stream(values()).map(tunable -> tunable.shortName()).toList();
        throw new ConfigException(name + ": cannot be tuned, " + KeyNames.hintAmong(name, names));
    }

    /** True for a setting of the packet writer's. */
    public boolean isOfPacketWriter() {
        return path.startsWith("packet/");
    }

    public String path() {
        return path;
    }

    private String shortName() {
        return path.substring(path.indexOf('/') + 1);
    }

    Key<?> key() {
        return key;
    }

    /** True for those of one elevator, in force while it is chosen. */
    public boolean isOfElevator() {
        return path.indexOf('/') != path.lastIndexOf('/');
    }

    /** The range or the words allowed. */
    public String allowed() {
        return key.type().allowed();
    }

    /** One line for help. */
    public String sentence() {
        return key.sentence();
    }

    /**
     * The value, or a {@link ConfigException} with key, value and allowed range. That it suits the
     * device's other settings is for {@link QueueConfig#tuned} to say.
     */
    public TunableValue parse(String text) {
        try {
            return of(key.type().parse(text));
        } catch (BadValueException bad) {
            throw new ConfigException(path + ": " + bad.getMessage());
        }
    }

    /** True where the value is a time, in nanoseconds. */
    public boolean isTime() {
        return key.type() instanceof Duration;
    }

    /** The nearest allowed value, for a number or a time in nanoseconds. */
    public TunableValue nearest(long number) {
        return switch (key.type()) {
            case Duration span ->
                    new TunableValue.Span(Math.clamp(number, span.leastNs(), span.mostNs()));
            case WholeNumber range ->
                    new TunableValue.Count(Math.clamp(number, range.least(), range.most()));
            default -> throw new IllegalStateException(path + " is no number");
        };
    }

    private static TunableValue of(Object value) {
        return switch (value) {
            case Integer count -> new TunableValue.Count(count);
            case Long ns -> new TunableValue.Span(ns);
            case Double real -> new TunableValue.Real(real);
            case Boolean isOn -> new TunableValue.Switch(isOn);
            case ElevatorKind kind -> new TunableValue.Elevator(kind);
            case PacketPolicyKind word -> new TunableValue.Word(word);
            case PacketSchedulerKind word -> new TunableValue.Word(word);
            case WakeOrder order -> new TunableValue.Wake(order);
            case OptionalInt mark when mark.isEmpty() -> new TunableValue.Auto();
            case OptionalInt mark -> new TunableValue.Count(mark.getAsInt());
            default -> throw new IllegalStateException("no tunable value: " + value);
        };
    }

    /** A number with decimals as conf files write it. */
    public String shown(double real) {
        return switch (key.type()) {
            case Factor factor -> factor.render(real);
            case Speed speed -> speed.render(real);
            default -> Double.toString(real);
        };
    }

    /** A number as stat shows it: a time with its unit. */
    public Object shown(long number) {
        return key.type() instanceof Duration span ? span.render(number) : (Object) number;
    }
}
