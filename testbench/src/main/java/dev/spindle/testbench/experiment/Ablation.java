package dev.spindle.testbench.experiment;

/**
 * A cause taken away: the effect has to go with it.
 *
 * @param without what was taken away
 * @param effect what is measured
 * @param before with the cause
 * @param after without it
 * @param isGone the effect is
 */
public record Ablation(
        String experiment,
        String without,
        String effect,
        double before,
        double after,
        boolean isGone) {}
