package dev.spindle.config;

import java.util.Locale;

/** A multiple of the speed of the first drives: 4x, 2.4x. */
record Speed(double least, double most) implements ValueType<Double> {
    @Override
    public Double parse(String text) throws BadValueException {
        if (!text.matches("\\d{1,3}(\\.\\d{1,2})?x")) {
            throw new BadValueException(
                    "\"" + text + "\" is not a speed such as 4x, allowed " + allowed());
        }
        double speed = Double.parseDouble(text.substring(0, text.length() - 1));
        if (speed < least || speed > most) {
            throw new BadValueException(text + " is out of range, allowed " + allowed());
        }
        return speed;
    }

    @Override
    public String render(Double value) {
        return value == Math.rint(value)
                ? Math.round(value) + "x"
                : String.format(Locale.ROOT, "%.2f", value).replaceAll("0+$", "") + "x";
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
