package dev.spindle.config;

import java.util.List;

/** A time in nanoseconds. The unit must be written. */
record Duration(long leastNs, long mostNs) implements ValueType<Long> {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;

    private static final Quantity QUANTITY =
            new Quantity(
                    "a time",
                    List.of(
                            new Quantity.Unit("s", SECOND),
                            new Quantity.Unit("ms", MS),
                            new Quantity.Unit("us", 1_000),
                            new Quantity.Unit("ns", 1),
                            new Quantity.Unit("min", 60 * SECOND)),
                    4);

    @Override
    public Long parse(String text) throws BadValueException {
        return QUANTITY.parse(text, leastNs, mostNs);
    }

    @Override
    public String render(Long value) {
        return QUANTITY.render(value);
    }

    @Override
    public String allowed() {
        return QUANTITY.allowed(leastNs, mostNs);
    }

    @Override
    public Long sample() {
        return leastNs;
    }
}
