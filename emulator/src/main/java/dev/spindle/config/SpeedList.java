package dev.spindle.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Speeds in one line, with blanks between: 1x 2x 4x. */
record SpeedList(Speed speed, int mostSpeeds) implements ValueType<List<Double>> {
    @Override
    public List<Double> parse(String text) throws BadValueException {
        List<Double> speeds = new ArrayList<>();
        for (String word : text.strip().split("\\s+", -1)) {
            if (speeds.size() == mostSpeeds) {
                throw new BadValueException("more than " + mostSpeeds + " speeds");
            }
            speeds.add(speed.parse(word));
        }
        return List.copyOf(speeds);
    }

    @Override
    public String render(List<Double> value) {
        return value.stream().map(speed::render).collect(Collectors.joining(" "));
    }

    @Override
    public String allowed() {
        return "1 to " + mostSpeeds + " of " + speed.allowed();
    }

    @Override
    public List<Double> sample() {
        return List.of(speed.sample());
    }
}
