package dev.spindle.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Numbers with a unit: the arithmetic that sizes, times and rates have in common. */
final class Quantity {
    private static final Pattern NUMBER =
            Pattern.compile("(-?\\d{1,19}(?:\\.\\d{1,12})?)\\s*(\\S*)");

    /** One way to write a unit; those used in rendering come first, largest first. */
    record Unit(String suffix, long base) {}

    private final String what;
    private final List<Unit> units;
    private final int renderedUnits;

    /** The first {@code renderedUnits} of the units are used in rendering, the rest only read. */
    Quantity(String what, List<Unit> units, int renderedUnits) {
        this.what = what;
        this.units = List.copyOf(units);
        this.renderedUnits = renderedUnits;
    }

    long parse(String text, long least, long most) throws BadValueException {
        String allowed = ", allowed " + allowed(least, most);
        Matcher matcher = NUMBER.matcher(text);
        if (!matcher.matches()) {
            throw new BadValueException("\"" + text + "\" is not " + what + allowed);
        }
        String suffix = matcher.group(2);
        for (Unit unit : units) {
            if (unit.suffix.equals(suffix)) {
                BigDecimal value =
                        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit.base));
                return inRange(text, value, least, most);
            }
        }
        throw new BadValueException(
                "\""
                        + text
                        + "\" has "
                        + (suffix.isEmpty() ? "no unit" : "an unknown unit, " + hint(suffix))
                        + allowed);
    }

    private String hint(String unknown) {
        for (Unit unit : units) {
            if (unit.suffix.equalsIgnoreCase(unknown)) {
                return "did you mean " + unit.suffix + "?";
            }
        }
        return "known here: "
                + units.stream()
                        .map(Unit::suffix)
                        .filter(suffix -> !suffix.isEmpty())
                        .collect(Collectors.joining(" "));
    }

    private long inRange(String text, BigDecimal value, long least, long most)
            throws BadValueException {
        boolean isInRange =
                value.compareTo(BigDecimal.valueOf(least)) >= 0
                        && value.compareTo(BigDecimal.valueOf(most)) <= 0;
        if (!isInRange) {
            throw new BadValueException(text + " is out of range, allowed " + allowed(least, most));
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException aFraction) {
            throw new BadValueException(
                    text + " is not a whole number of " + units.get(renderedUnits - 1).suffix);
        }
    }

    /** In the largest unit that needs at most three decimals. */
    String render(long value) {
        for (Unit unit : units.subList(0, renderedUnits)) {
            BigDecimal exact = BigDecimal.valueOf(value);
            BigDecimal base = BigDecimal.valueOf(unit.base);
            BigDecimal count = exact.divide(base, 3, RoundingMode.DOWN);
            if (Math.abs(value) >= unit.base && count.multiply(base).compareTo(exact) == 0) {
                return count.stripTrailingZeros().toPlainString() + " " + unit.suffix;
            }
        }
        return value + " " + units.get(renderedUnits - 1).suffix;
    }

    String allowed(long least, long most) {
        return render(least) + " to " + render(most);
    }
}
