package dev.spindle.config;

import java.util.List;

/** Bytes per second. The unit must be written; KB/s is 1000, KiB/s 1024. */
record Rate(long least, long most) implements ValueType<Long> {
    private static final Quantity QUANTITY =
            new Quantity(
                    "a rate",
                    List.of(
                            new Quantity.Unit("GB/s", 1_000_000_000),
                            new Quantity.Unit("MB/s", 1_000_000),
                            new Quantity.Unit("KB/s", 1_000),
                            new Quantity.Unit("B/s", 1),
                            new Quantity.Unit("kB/s", 1_000),
                            new Quantity.Unit("KiB/s", 1 << 10),
                            new Quantity.Unit("MiB/s", 1 << 20),
                            new Quantity.Unit("GiB/s", 1 << 30)),
                    4);

    @Override
    public Long parse(String text) throws BadValueException {
        return QUANTITY.parse(text, least, most);
    }

    @Override
    public String render(Long value) {
        return QUANTITY.render(value);
    }

    @Override
    public String allowed() {
        return QUANTITY.allowed(least, most);
    }

    @Override
    public Long sample() {
        return least;
    }
}
