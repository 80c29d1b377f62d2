package dev.spindle.config;

import java.util.regex.Pattern;

/** Text of one line that matches a pattern; {@code allowed} says the pattern in words. */
record Text(Pattern pattern, String allowed, String sample) implements ValueType<String> {
    static Text matching(String pattern, String allowed, String sample) {
        return new Text(Pattern.compile(pattern), allowed, sample);
    }

    @Override
    public String parse(String text) throws BadValueException {
        if (!pattern.matcher(text).matches()) {
            throw new BadValueException("\"" + text + "\" is not allowed, allowed " + allowed);
        }
        return text;
    }

    @Override
    public String render(String value) {
        return value;
    }
}
