package dev.spindle.config;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The values of all elevators' tunables, whichever is chosen: whole numbers, and times in
 * nanoseconds.
 */
public record ElevatorTunables(Map<Tunable, Long> values) {
    public ElevatorTunables {
        values = Map.copyOf(values);
    }

    public static ElevatorTunables ofDefaults() {
        EnumMap<Tunable, Long> values = new EnumMap<>(Tunable.class);
        for (Tunable tunable : all()) {
            values.put(tunable, number(tunable.key().defaultValue().orElseThrow()));
        }
        return new ElevatorTunables(values);
    }

    /** Those there are, in the order of the documentation. */
    public static List<Tunable> all() {
        return Arrays.stream(Tunable.values()).filter(Tunable::isOfElevator).toList();
    }

    public long value(Tunable tunable) {
        return Objects.requireNonNull(values.get(tunable));
    }

    /** The same as a number small enough for an int, as all that are no times are. */
    public int count(Tunable tunable) {
        return Math.toIntExact(value(tunable));
    }

    ElevatorTunables with(Tunable tunable, long value) {
        EnumMap<Tunable, Long> changed = new EnumMap<>(values);
        changed.put(tunable, value);
        return new ElevatorTunables(changed);
    }

    static long number(Object value) {
        return switch (value) {
            case Integer count -> count;
            case Long ns -> ns;
            default -> throw new IllegalStateException("no number: " + value);
        };
    }
}
