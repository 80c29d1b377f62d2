package dev.spindle.testbench.experiment;

import dev.spindle.control.ControlAnswer;
import dev.spindle.testbench.experiment.Row.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Thread 000 by a real program: testaio under the shim. The processor of 2006 is not played: what
 * remained of the enqueueing at 1024 requests was its time.
 */
public final class LiveThread000 implements Experiment {
    private static final double TOTAL_S = 5.327;
    private static final double ABOUT_FIVE_S = 5;
    private static final double GATE = 0.10;

    @Override
    public String name() {
        return "000";
    }

    @Override
    public String title() {
        return "live: 100 reads of 1 MiB by testaio, submission against nr_requests";
    }

    @Override
    public Outcome run(Setting setting) {
        LiveRun live = new LiveRun(setting.home(), setting.conf());
        List<Row> rows = new ArrayList<>();
        Map<Integer, Double> enqueueS = new TreeMap<>();
        for (int pool : new int[] {128, 1024}) {
            List<String> options =
                    List.of("--device", "thread000", "--set", "queue/nr_requests=" + pool);
            ControlAnswer ours = live.run(options, "testaio", "--json", "/dev/thread000");
            enqueueS.put(pool, ours.number("enqueue_s"));
            rows.add(
                    Row.within(
                            name(),
                            "total, nr " + pool + " (s)",
                            TOTAL_S,
                            ours.number("total_s"),
                            GATE,
                            Kind.FITTED));
        }
        double small = enqueueS.getOrDefault(128, 0.0);
        double large = enqueueS.getOrDefault(1024, 0.0);
        rows.add(
                new Row(
                        name(),
                        "enqueue, nr 128 (s)",
                        OptionalDouble.of(ABOUT_FIVE_S),
                        small,
                        "3.9 to 5.3 s",
                        Kind.PREDICTED,
                        small >= 3.9 && small <= 5.3));
        rows.add(
                new Row(
                        name(),
                        "enqueue, nr 1024 (s)",
                        OptionalDouble.of(1),
                        large,
                        "at most 1.1 s",
                        Kind.PREDICTED,
                        large <= 1.1));
        return new Outcome(rows, List.of(), List.of());
    }
}
