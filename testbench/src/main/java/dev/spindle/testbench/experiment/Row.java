package dev.spindle.testbench.experiment;

import java.util.OptionalDouble;

/**
 * A line of the scorecard.
 *
 * @param experiment the thread's number
 * @param name what was measured, with its unit
 * @param thread the thread's figure; empty where it gives none
 * @param ours the median over the layout seeds, where there are any
 * @param gate what ours has to keep to, in words
 * @param kind whether a parameter was chosen by this very row
 */
public record Row(
        String experiment,
        String name,
        OptionalDouble thread,
        double ours,
        String gate,
        Kind kind,
        boolean passes) {
    /** Where the figure comes from. */
    public enum Kind {
        FITTED,
        PREDICTED
    }

    static final String OPEN = "none: open";

    /**
     * One whose mechanism is not settled: the figures stand side by side and nothing is claimed.
     */
    boolean isOpen() {
        return gate.equals(OPEN);
    }

    /** A fraction of the thread's figure. */
    public OptionalDouble error() {
        return thread.isPresent()
                ? OptionalDouble.of(ours / thread.getAsDouble() - 1)
                : OptionalDouble.empty();
    }

    /** One that has to come within a fraction of the thread's figure. */
    static Row within(
            String experiment,
            String name,
            double thread,
            double ours,
            double fraction,
            Kind kind) {
        return new Row(
                experiment,
                name,
                OptionalDouble.of(thread),
                ours,
                "+-%.0f %%".formatted(100 * fraction),
                kind,
                Math.abs(ours / thread - 1) <= fraction);
    }
}
