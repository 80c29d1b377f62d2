package dev.spindle.testbench.simulate;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What one simulation has measured; the measures of a disc only where there is a packet writer. */
record Measures(Map<Measure, Double> values) {
    Measures {
        values = Collections.unmodifiableMap(new EnumMap<>(values));
    }

    double of(Measure measure) {
        return values.getOrDefault(measure, 0.0);
    }

    /** Each measure's own median. */
    static Measures median(List<Measures> runs) {
        Map<Measure, Double> medians = new EnumMap<>(Measure.class);
        for (Measure measure : runs.getFirst().values.keySet()) {
            double[] sorted = runs.stream().mapToDouble(run -> run.of(measure)).sorted().toArray();
            int middle = sorted.length / 2;
            medians.put(
                    measure,
                    sorted.length % 2 == 1
                            ? sorted[middle]
                            : (sorted[middle - 1] + sorted[middle]) / 2);
        }
        return new Measures(medians);
    }
}
