package dev.spindle.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Whole numbers in one line, with blanks between. */
record WholeNumbers(int mostNumbers) implements ValueType<List<Integer>> {
    private static final String NONE = "none";

    @Override
    public List<Integer> parse(String text) throws BadValueException {
        List<Integer> numbers = new ArrayList<>();
        if (text.equals(NONE)) {
            return List.of();
        }
        for (String word : text.strip().split("\\s+", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            if (!word.matches("\\d{1,9}") || numbers.size() == mostNumbers) {
                throw new BadValueException(
                        "\"" + word + "\" is not allowed, allowed " + allowed());
            }
            numbers.add(Integer.parseInt(word));
        }
        return List.copyOf(numbers);
    }

    @Override
    public String render(List<Integer> value) {
        return value.isEmpty()
                ? NONE
                : value.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    @Override
    public String allowed() {
        return "none or at most " + mostNumbers + " whole numbers";
    }

    @Override
    public List<Integer> sample() {
        return List.of();
    }
}
