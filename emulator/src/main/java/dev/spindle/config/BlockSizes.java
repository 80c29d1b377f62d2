package dev.spindle.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Request lengths: one, several with commas between, or A..B for all multiples of A up to B. */
record BlockSizes(long leastBytes, long mostBytes) implements ValueType<List<Long>> {
    private static final int MAX_SIZES = 4096;
    private static final String RANGE = "..";

    @Override
    public List<Long> parse(String text) throws BadValueException {
        List<Long> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            addPart(part.strip(), sizes);
        }
        return List.copyOf(sizes);
    }

    private void addPart(String part, List<Long> sizes) throws BadValueException {
        Size size = new Size(leastBytes, mostBytes);
        int dots = part.indexOf(RANGE);
        long first = size.parse(dots < 0 ? part : part.substring(0, dots).strip());
        long last = dots < 0 ? first : size.parse(part.substring(dots + RANGE.length()).strip());
        if (last < first) {
            throw new BadValueException(part + " goes down, allowed " + allowed());
        }
        if ((last - first) / first >= MAX_SIZES - sizes.size()) {
            throw new BadValueException(
                    part + " is more than " + MAX_SIZES + " sizes, allowed " + allowed());
        }
        for (long bytes = first; bytes <= last; bytes += first) {
            sizes.add(bytes);
        }
    }

    @Override
    public String render(List<Long> value) {
        long first = value.getFirst();
        boolean isRange = value.size() > 2;
        for (int i = 0; i < value.size(); i++) {
            isRange &= value.get(i) == first * (i + 1);
        }
        Size size = new Size(leastBytes, mostBytes);
        return isRange
                ? size.render(first) + RANGE + size.render(value.getLast())
                : value.stream().map(size::render).collect(Collectors.joining(", "));
    }

    @Override
    public String allowed() {
        return new Size(leastBytes, mostBytes).allowed() + ", several as A, B or A..B";
    }

    @Override
    public List<Long> sample() {
        return List.of(leastBytes);
    }
}
