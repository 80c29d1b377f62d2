package dev.spindle.config;

/** A checked value for a {@link Tunable}. */
public sealed interface TunableValue {
    /** An integer within the key's range. */
    record Count(int count) implements TunableValue {}

    /** Left to the formula. */
    record Auto() implements TunableValue {}

    /** On or off. */
    record Switch(boolean isOn) implements TunableValue {}

    /** One of the words of a packet writer's key. */
    record Word(Enum<?> word) implements TunableValue {}

    /** An I/O scheduler. */
    record Elevator(ElevatorKind kind) implements TunableValue {}

    /** A time. */
    record Span(long ns) implements TunableValue {}

    /** A number with decimals. */
    record Real(double number) implements TunableValue {}

    /** Whom a freed request wakes. */
    record Wake(WakeOrder order) implements TunableValue {}
}
