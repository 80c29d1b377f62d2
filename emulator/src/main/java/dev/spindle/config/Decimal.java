package dev.spindle.config;

import java.math.BigDecimal;

/** A number within a range, with decimals where needed. */
record Decimal(int least, int most) implements ValueType<Double> {
    @Override
    public Double parse(String text) throws BadValueException {
        if (!text.matches("-?\\d{1,9}(\\.\\d{1,12})?")) {
            throw new BadValueException("\"" + text + "\" is not a number, allowed " + allowed());
        }
        double value = Double.parseDouble(text);
        if (value < least || value > most) {
            throw new BadValueException(render(value) + " is out of range, allowed " + allowed());
        }
        return value;
    }

    @Override
    public String render(Double value) {
        return value == Math.rint(value)
                ? Long.toString(value.longValue())
                : BigDecimal.valueOf(value).toPlainString();
    }

    @Override
    public String allowed() {
        return least + " to " + most;
    }

    @Override
    public Double sample() {
        return (double) least;
    }
}
