package dev.spindle.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One of an enum's constants, written in lower case. */
record Choice<E extends Enum<E>>(List<E> constants) implements ValueType<E> {
    static <E extends Enum<E>> Choice<E> of(Class<E> type) {
        return new Choice<>(Arrays.asList(type.getEnumConstants()));
    }

    @Override
    public E parse(String text) throws BadValueException {
        for (E constant : constants) {
            if (render(constant).equals(text)) {
                return constant;
            }
        }
        throw new BadValueException("\"" + text + "\" is unknown, allowed " + allowed());
    }

    @Override
    public String render(E value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public String allowed() {
        return constants.stream().map(this::render).collect(Collectors.joining(" or "));
    }

    @Override
    public E sample() {
        return constants.getFirst();
    }
}
