package dev.spindle.config;

/** What a key's text may be: parses it, renders it in its best unit, and says what is allowed. */
sealed interface ValueType<T>
        permits WholeNumber,
                WholeNumbers,
                Decimal,
                Factor,
                AutoNumber,
                Flag,
                Size,
                Duration,
                Rate,
                Speed,
                SpeedList,
                Choice,
                Text,
                FileMode {
    T parse(String text) throws BadValueException;

    /** Text which parses to the same value. */
    String render(T value);

    /** Completes "allowed ...". */
    String allowed();

    /** A valid value, to go on with after a bad one. */
    T sample();
}
