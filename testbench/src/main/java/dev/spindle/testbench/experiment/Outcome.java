package dev.spindle.testbench.experiment;

import dev.spindle.plot.Plot;
import java.util.List;

/** What an experiment has shown. */
public record Outcome(List<Row> rows, List<Ablation> ablations, List<Plot> plots) {}
