package dev.spindle.config;

import java.util.OptionalInt;

/** An integer within a range, or "auto". */
record AutoNumber(int least, int most) implements ValueType<OptionalInt> {
    @Override
    public OptionalInt parse(String text) throws BadValueException {
        if (text.equals("auto")) {
            return OptionalInt.empty();
        }
        if (!text.matches("-?\\d{1,18}")) {
            throw new BadValueException(
                    "\"" + text + "\" is neither auto nor a whole number, allowed " + allowed());
        }
        long value = Long.parseLong(text);
        if (value < least || value > most) {
            throw new BadValueException(value + " is out of range, allowed " + allowed());
        }
        return OptionalInt.of((int) value);
    }

    @Override
    public String render(OptionalInt value) {
        return value.isEmpty() ? "auto" : Integer.toString(value.getAsInt());
    }

    @Override
    public String allowed() {
        return "auto or " + least + " to " + most;
    }

    @Override
    public OptionalInt sample() {
        return OptionalInt.empty();
    }
}
