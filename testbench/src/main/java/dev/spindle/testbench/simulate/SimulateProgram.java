package dev.spindle.testbench.simulate;

import dev.spindle.cli.Experiments;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code spindle experiment simulate}: every combination of the swept values, each for all seeds.
 */
public final class SimulateProgram {
    private static final int MAX_SWEEPS = 2;
    private static final int MAX_RUNS = 10_000;

    private SimulateProgram() {}

    public static void run(Experiments.Simulation order, PrintWriter out) throws IOException {
        SimulationReport report = simulate(order);
        if (order.html().isPresent()) {
            Files.writeString(order.html().get(), report.html());
        }
        if (order.isJson()) {
            out.println(report.json());
        } else {
            out.print(report.text());
        }
        out.flush();
    }

    static SimulationReport simulate(Experiments.Simulation order) {
        List<Sweep> sweeps = order.sweeps().stream().map(Sweep::parse).toList();
        Plan plan = new Plan(order);
        List<String> keys = sweeps.stream().map(sweep -> plan.fullName(sweep, order)).toList();
        List<List<String>> combinations = combinations(sweeps);
        if (sweeps.size() > MAX_SWEEPS || keys.stream().distinct().count() < keys.size()) {
            throw new IllegalArgumentException(
                    "--sweep: allowed at most " + MAX_SWEEPS + ", of different keys");
        }
        if ((long) combinations.size() * order.seeds() > MAX_RUNS) {
            throw new IllegalArgumentException(
                    combinations.size()
                            + " combinations for --seeds "
                            + order.seeds()
                            + ": allowed at most "
                            + MAX_RUNS
                            + " runs");
        }
        List<SimulationReport.Run> runs = new ArrayList<>();
        for (List<String> values : combinations) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                settings.put(keys.get(i), values.get(i));
            }
            List<Measures> bySeed = new ArrayList<>();
            for (int seed = 0; seed < order.seeds(); seed++) {
                bySeed.add(plan.run(settings, seed));
            }
            runs.add(new SimulationReport.Run(values, Measures.median(bySeed)));
        }
        return new SimulationReport(plan.title(), order.seeds(), sweeps, runs);
    }

    /** The last sweep varies fastest. */
    private static List<List<String>> combinations(List<Sweep> sweeps) {
        List<List<String>> combinations = List.of(List.of());
        for (Sweep sweep : sweeps) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> before : combinations) {
                for (String value : sweep.values()) {
                    List<String> all = new ArrayList<>(before);
                    all.add(value);
                    longer.add(all);
                }
            }
            combinations = longer;
        }
        return combinations;
    }
}
