package dev.spindle.config;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The keys that can be changed while a device runs, by the same rules as in a conf file. */
public enum Tunable {
    NR_REQUESTS("queue/nr_requests"),
    MAX_SECTORS_KB("queue/max_sectors_kb"),
    HARD_CAP("queue/hard_cap"),
    CONGESTION_ON("queue/congestion_on"),
    CONGESTION_OFF("queue/congestion_off"),
    ELEVATOR("queue/elevator"),
    READ_AHEAD("drive/read_ahead"),
    WRITE_BACK("drive/write_back"),
    PACKET_POLICY("packet/policy"),
    PACKET_CONGESTION_ON("packet/congestion_on"),
    PACKET_CONGESTION_OFF("packet/congestion_off"),
    PACKET_SCHEDULER("packet/scheduler"),
    PACKET_WAIT("packet/wait");

    private final String path;

    Tunable(String path) {
        this.path = path;
    }

    /** By its path, or by its last name alone: the first that has it. */
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

    private Key<?> key() {
        return switch (this) {
            case NR_REQUESTS -> Keys.NR_REQUESTS;
            case MAX_SECTORS_KB -> Keys.MAX_SECTORS_KB;
            case HARD_CAP -> Keys.HARD_CAP;
            case CONGESTION_ON -> Keys.CONGESTION_ON;
            case CONGESTION_OFF -> Keys.CONGESTION_OFF;
            case ELEVATOR -> Keys.ELEVATOR;
            case READ_AHEAD -> Keys.READ_AHEAD;
            case WRITE_BACK -> Keys.WRITE_BACK;
            case PACKET_POLICY -> OpticalKeys.POLICY;
            case PACKET_CONGESTION_ON -> OpticalKeys.CONGESTION_ON;
            case PACKET_CONGESTION_OFF -> OpticalKeys.CONGESTION_OFF;
            case PACKET_SCHEDULER -> OpticalKeys.SCHEDULER;
            case PACKET_WAIT -> OpticalKeys.WAIT;
        };
    }

    /** The range or the words allowed. */
    public String allowed() {
        return key().type().allowed();
    }

    /** One line for help. */
    public String sentence() {
        return key().sentence();
    }

    /**
     * The value, or a {@link ConfigException} with key, value and allowed range. That it suits the
     * device's other settings is for {@link QueueConfig#tuned} to say.
     */
    public TunableValue parse(String text) {
        try {
            return of(key().type().parse(text));
        } catch (BadValueException bad) {
            throw new ConfigException(path + ": " + bad.getMessage());
        }
    }

    private static TunableValue of(Object value) {
        return switch (value) {
            case Integer count -> new TunableValue.Count(count);
            case Boolean isOn -> new TunableValue.Switch(isOn);
            case ElevatorKind kind -> new TunableValue.Elevator(kind);
            case Long ns -> new TunableValue.Span(ns);
            case PacketPolicyKind word -> new TunableValue.Word(word);
            case PacketSchedulerKind word -> new TunableValue.Word(word);
            case OptionalInt mark when mark.isEmpty() -> new TunableValue.Auto();
            case OptionalInt mark -> new TunableValue.Count(mark.getAsInt());
            default -> throw new IllegalStateException("no tunable value: " + value);
        };
    }
}
