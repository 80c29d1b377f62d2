package dev.spindle.testbench.experiment;

import dev.spindle.config.HostConfig;
import dev.spindle.testbench.experiment.Row.Kind;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.testbench.host.SequentialReader;
import dev.spindle.testbench.host.SequentialReader.Plan;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * "aio O_DIRECT no readahead", July 2003: 90 MiB of a raw disk in reads of 32 KiB, with and without
 * a bug that reads everything twice and a client that polls.
 */
public final class Thread001 implements Experiment {
    private static final String DEVICE = "thread001";
    private static final int READS = 2880;
    private static final int READ_BYTES = 32 << 10;

    private static final double REAL_GATE = 0.15;
    private static final double MOST_WHEN_WAITING = 0.15;

    private record Line(
            String name,
            int depth,
            int calls,
            boolean isPolling,
            boolean hasBug,
            double realS,
            double cpuS,
            Kind realKind,
            Kind cpuKind) {}

    private static final List<Line> LINES =
            List.of(
                    line("dd", 1, 1, false, false, 2.514, 0.200),
                    fitted("aio 1, bug", 1, true, true, 3.408, 3.370),
                    line("aio 32, bug", 32, 2, true, true, 2.994, 2.990),
                    line("aio 1, fixed", 1, 2, true, false, 2.509, 2.510),
                    line("aio 1, fixed, waits", 1, 2, false, false, 2.566, 0.250),
                    fitted("aio 32, fixed, waits", 32, false, false, 2.465, 0.090));

    private static Line line(
            String name,
            int depth,
            int calls,
            boolean polls,
            boolean bug,
            double realS,
            double cpuS) {
        Kind cpuKind = name.equals("aio 1, fixed, waits") ? Kind.FITTED : Kind.PREDICTED;
        return new Line(name, depth, calls, polls, bug, realS, cpuS, Kind.PREDICTED, cpuKind);
    }

    private static Line fitted(
            String name, int depth, boolean polls, boolean bug, double realS, double cpuS) {
        Kind cpuKind = polls ? Kind.PREDICTED : Kind.FITTED;
        return new Line(name, depth, 2, polls, bug, realS, cpuS, Kind.FITTED, cpuKind);
    }

    private record Run(double realS, double cpuS) {}

    @Override
    public String name() {
        return "001";
    }

    @Override
    public String title() {
        return "AIO reads everything twice: 2880 x 32 KiB of a raw disk";
    }

    private static Run run(Setting setting, Line line, Map<String, String> overrides) {
        EventHeap events = new EventHeap();
        var device = new DeviceShelf(setting.conf()).open(DEVICE, overrides, events);
        HostConfig host = setting.host(DEVICE);
        var plan =
                new Plan(
                        READS,
                        READ_BYTES,
                        line.depth,
                        line.calls,
                        host.cpuPerCallNs(),
                        host.cpuPerRequestNs(),
                        line.isPolling,
                        line.hasBug);
        SequentialReader reader = new SequentialReader(plan, events, device);
        reader.start();
        events.run();
        return new Run(events.nowNs() / 1e9, reader.processor().busyNs() / 1e9);
    }

    @Override
    public Outcome run(Setting setting) {
        List<Row> rows = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        for (Line line : LINES) {
            Run run = run(setting, line, Map.of());
            runs.add(run);
            rows.add(
                    Row.within(
                            name(),
                            line.name + ", real (s)",
                            line.realS,
                            run.realS,
                            REAL_GATE,
                            line.realKind));
            rows.add(share(line, run));
        }
        double slowest = runs.get(1).realS;
        double second = runs.get(2).realS;
        double others =
                Math.max(
                        Math.max(runs.get(0).realS, runs.get(3).realS),
                        Math.max(runs.get(4).realS, runs.get(5).realS));
        rows.add(
                new Row(
                        name(),
                        "order: aio 1 bug > aio 32 bug > the rest",
                        OptionalDouble.empty(),
                        second / others,
                        "as in the thread",
                        Kind.PREDICTED,
                        slowest > second && second > others));
        return new Outcome(rows, ablations(setting, runs), List.of());
    }

    private Row share(Line line, Run run) {
        double share = run.cpuS / run.realS;
        boolean passes = line.isPolling ? Math.abs(share - 1) <= 0.02 : share < MOST_WHEN_WAITING;
        return new Row(
                name(),
                line.name + ", processor (of real)",
                OptionalDouble.of(line.cpuS / line.realS),
                share,
                line.isPolling ? "100 %" : "< 15 %",
                line.cpuKind,
                passes);
    }

    private List<Ablation> ablations(Setting setting, List<Run> runs) {
        Map<String, String> fastBus =
                Map.of(
                        "drives.thread001-disk.overhead.read_hit", "0 ms",
                        "drives.thread001-disk.bus_rate", "10 GB/s");
        double lost = runs.get(1).realS - runs.get(3).realS;
        double free =
                run(setting, LINES.get(1), fastBus).realS
                        - run(setting, LINES.get(3), fastBus).realS;
        return List.of(
                new Ablation(
                        name(),
                        "bus time and command overhead",
                        "what the bug costs (s)",
                        lost,
                        free,
                        Math.abs(free) < 0.05));
    }
}
