package dev.spindle.config;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** A positive number with at most three decimals, within a range. */
record Factor(double least, double most) implements ValueType<Double> {
    private static final int DECIMALS = 3;

    @Override
    public Double parse(String text) throws BadValueException {
        if (!text.matches("-?\\d{1,9}(\\.\\d{1,12})?")) {
            throw new BadValueException("\"" + text + "\" is not a number, allowed " + allowed());
        }
        BigDecimal value = new BigDecimal(text);
        if (value.compareTo(BigDecimal.valueOf(least)) < 0
                || value.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw new BadValueException(text + " is out of range, allowed " + allowed());
        }
        if (value.stripTrailingZeros().scale() > DECIMALS) {
            throw new BadValueException(
                    text + " has more than three decimals, allowed " + allowed());
        }
        return value.doubleValue();
    }

    @Override
    public String render(Double value) {
        return BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    @Override
    public String allowed() {
        return render(least) + " to " + render(most);
    }

    @Override
    public Double sample() {
        return least;
    }
}
