package dev.spindle.testbench.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A setting and the values it is to take: {@code KEY=A,B,C}, where a part may be a range, {@code
 * 128..4096*2} by factors or {@code 0..100+25} by steps.
 */
record Sweep(String key, List<String> values) {
    static final int MAX_VALUES = 256;

    private static final Pattern RANGE =
            Pattern.compile(
                    "(\\d{1,12}) ?([A-Za-z/]*)\\.\\.(\\d{1,12}) ?([A-Za-z/]*)([*+])(\\d{1,6})");
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,15}(?:\\.\\d{1,12})?) ?(\\S*)");

    static Sweep parse(String argument) {
        int equals = argument.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    "--sweep \"" + argument + "\" is not KEY=A,B,C or KEY=A..B*N");
        }
        List<String> values = new ArrayList<>();
        for (String part : argument.substring(equals + 1).split(",", -1)) {
            addPart(part.strip(), argument, values);
        }
        if (values.stream().distinct().count() < values.size()) {
            throw new IllegalArgumentException("--sweep \"" + argument + "\": a value twice");
        }
        return new Sweep(argument.substring(0, equals).strip(), List.copyOf(values));
    }

    private static void addPart(String part, String argument, List<String> values) {
        Matcher range = RANGE.matcher(part);
        if (range.matches()) {
            addRange(range, argument, values);
        } else {
            values.add(part);
        }
        if (part.isEmpty() || values.size() > MAX_VALUES) {
            throw new IllegalArgumentException(
                    "--sweep \"" + argument + "\": allowed 1 to " + MAX_VALUES + " values");
        }
    }

    private static void addRange(Matcher range, String argument, List<String> values) {
        boolean isFactor = range.group(5).equals("*");
        long step = Long.parseLong(range.group(6));
        long last = Long.parseLong(range.group(3));
        String unit = range.group(4).isEmpty() ? range.group(2) : range.group(4);
        long first = Long.parseLong(range.group(1));
        boolean isOneUnit = range.group(2).isEmpty() || range.group(2).equals(unit);
        boolean goesUp = isFactor ? step > 1 && first > 0 : step > 0;
        if (!isOneUnit || !goesUp || last < first) {
            throw new IllegalArgumentException(
                    "--sweep \""
                            + argument
                            + "\": "
                            + range.group()
                            + " needs one unit and must go up");
        }
        for (long at = first;
                at <= last && values.size() <= MAX_VALUES;
                at = isFactor ? at * step : at + step) {
            values.add(at + unit);
        }
    }

    /** True where the values are numbers of one unit. */
    private boolean isNumeric() {
        return values.stream().map(Sweep::unitOf).distinct().count() == 1
                && NUMBER.matcher(values.getFirst()).matches();
    }

    private static String unitOf(String value) {
        Matcher number = NUMBER.matcher(value);
        return number.matches() ? number.group(2) : "no number";
    }

    /** Where the values stand on an axis: as numbers, or, where they are not all, as 1, 2, 3. */
    List<Double> positions() {
        List<Double> positions = new ArrayList<>();
        for (String value : values) {
            Matcher number = NUMBER.matcher(value);
            positions.add(
                    isNumeric() && number.matches()
                            ? Double.parseDouble(number.group(1))
                            : positions.size() + 1.0);
        }
        return positions;
    }

    /** What the axis says. */
    String axis() {
        String unit = isNumeric() ? unitOf(values.getFirst()) : String.join(", ", values);
        return unit.isEmpty() ? key : key + " (" + unit + ")";
    }
}
