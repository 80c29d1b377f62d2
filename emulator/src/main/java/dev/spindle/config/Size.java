package dev.spindle.config;

import java.util.List;

/** A number of bytes. As HOCON has it, k is 1024 and kB 1000; a bare number is bytes. */
record Size(long leastBytes, long mostBytes) implements ValueType<Long> {
    private static final Quantity QUANTITY =
            new Quantity(
                    "a size",
                    List.of(
                            new Quantity.Unit("PiB", 1L << 50),
                            new Quantity.Unit("TiB", 1L << 40),
                            new Quantity.Unit("GiB", 1L << 30),
                            new Quantity.Unit("MiB", 1L << 20),
                            new Quantity.Unit("KiB", 1L << 10),
                            new Quantity.Unit("B", 1),
                            new Quantity.Unit("", 1),
                            new Quantity.Unit("k", 1L << 10),
                            new Quantity.Unit("K", 1L << 10),
                            new Quantity.Unit("m", 1L << 20),
                            new Quantity.Unit("M", 1L << 20),
                            new Quantity.Unit("g", 1L << 30),
                            new Quantity.Unit("G", 1L << 30),
                            new Quantity.Unit("t", 1L << 40),
                            new Quantity.Unit("T", 1L << 40),
                            new Quantity.Unit("kB", 1_000),
                            new Quantity.Unit("KB", 1_000),
                            new Quantity.Unit("MB", 1_000_000),
                            new Quantity.Unit("GB", 1_000_000_000),
                            new Quantity.Unit("TB", 1_000_000_000_000L),
                            new Quantity.Unit("PB", 1_000_000_000_000_000L)),
                    6);

    @Override
    public Long parse(String text) throws BadValueException {
        return QUANTITY.parse(text, leastBytes, mostBytes);
    }

    @Override
    public String render(Long value) {
        return QUANTITY.render(value);
    }

    @Override
    public String allowed() {
        return QUANTITY.allowed(leastBytes, mostBytes);
    }

    @Override
    public Long sample() {
        return leastBytes;
    }
}
