package dev.spindle.testbench.experiment;

import dev.spindle.block.BlockOperation;
import dev.spindle.config.HostConfig;
import dev.spindle.plot.Plot;
import dev.spindle.testbench.experiment.Row.Kind;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.testbench.host.RawWorker;
import dev.spindle.testbench.host.RawWorker.Style;
import dev.spindle.testbench.host.SimulatedDevice;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * "2.5.35 patch for making DIO async -- performance numbers", September 2002: forty raw disks,
 * requests of 256 KiB, synchronous and asynchronous.
 */
public final class Thread004 implements Experiment {
    private static final String DEVICE = "thread004";
    private static final int DISKS = 40;
    private static final int REQUESTS = 500;
    private static final int REQUEST_BYTES = 256 << 10;
    private static final int BIO_BYTES = 128 << 10;

    /** A line of the thread, and how it was made. */
    private record Line(
            String name,
            Style style,
            BlockOperation operation,
            int depth,
            double kibPerSecond,
            double interrupts,
            double switches,
            Kind kind) {}

    private static final List<Line> LINES =
            List.of(
                    line("sync R old", Style.SYNC_PER_BIO, 0, 384_403, 1.98, 4.23),
                    line("sync W old", Style.SYNC_PER_BIO, 0, 302_950, 2.01, 4.12),
                    line("sync R dio", Style.SYNC_ONCE, 1, 384_109, 1.95, 2.32),
                    line("sync W dio", Style.SYNC_ONCE, 1, 303_026, 1.99, 2.10),
                    line("aio1 R", Style.ASYNC, 1, 347_174, 1.96, 2.25),
                    line("aio1 W", Style.ASYNC, 1, 305_154, 1.99, 2.17),
                    line("aio4 R", Style.ASYNC, 4, 353_368, 1.94, 2.31),
                    line("aio4 W", Style.ASYNC, 4, 307_168, 1.97, 2.30));

    private static Line line(
            String name, Style style, int depth, double rate, double irqs, double switches) {
        BlockOperation operation = name.contains(" R") ? BlockOperation.READ : BlockOperation.WRITE;
        boolean isFitted = name.endsWith("old") || name.equals("aio4 R");
        Kind kind = isFitted ? Kind.FITTED : Kind.PREDICTED;
        return new Line(name, style, operation, Math.max(1, depth), rate, irqs, switches, kind);
    }

    /** What one line came to. */
    private record Run(double kibPerSecond, double interrupts, double switches) {}

    @Override
    public String name() {
        return "004";
    }

    @Override
    public String title() {
        return "forty raw disks: synchronous and asynchronous requests of 256 KiB";
    }

    private static Run run(Setting setting, Line line, Map<String, String> overrides) {
        EventHeap events = new EventHeap();
        DeviceShelf shelf = new DeviceShelf(setting.conf());
        HostConfig host = setting.host(DEVICE);
        var plan =
                new RawWorker.Plan(
                        line.style,
                        line.operation,
                        REQUESTS,
                        REQUEST_BYTES,
                        BIO_BYTES,
                        line.depth,
                        host.cpuPerRequestNs());
        List<SimulatedDevice> disks = new ArrayList<>();
        List<RawWorker> workers = new ArrayList<>();
        for (int i = 0; i < DISKS; i++) {
            SimulatedDevice disk = shelf.open(DEVICE, overrides, events);
            disks.add(disk);
            RawWorker worker = new RawWorker(plan, events, disk);
            workers.add(worker);
            events.at(i * 700_000L, "start", worker::start);
        }
        events.run();
        double requests = (double) DISKS * REQUESTS;
        double seconds = workers.stream().mapToLong(RawWorker::finishedNs).max().orElse(0) / 1e9;
        double switches = workers.stream().mapToLong(each -> each.processor().switches()).sum();
        return new Run(
                requests * (REQUEST_BYTES >> 10) / seconds,
                disks.stream().mapToLong(SimulatedDevice::interrupts).sum() / requests,
                (switches + host.idleSwitches() * seconds) / requests);
    }

    @Override
    public Outcome run(Setting setting) {
        List<Row> rows = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        for (Line line : LINES) {
            Run run = run(setting, line, Map.of());
            runs.add(run);
            double gate = line.name.endsWith("old") ? 0.03 : 0.05;
            rows.add(
                    Row.within(
                            name(),
                            line.name + " (KiB/s)",
                            line.kibPerSecond,
                            run.kibPerSecond,
                            gate,
                            line.kind));
            rows.add(counter(line.name + " interrupts", line.interrupts, run.interrupts));
            rows.add(counter(line.name + " switches", line.switches, run.switches));
        }
        return new Outcome(rows, ablations(setting, runs), List.of(plot(runs)));
    }

    private Row counter(String name, double thread, double ours) {
        return Row.within(name(), name + " (a request)", thread, ours, 0.10, Kind.PREDICTED);
    }

    private List<Ablation> ablations(Setting setting, List<Run> runs) {
        double sync = runs.get(2).kibPerSecond;
        double plugged = runs.get(4).kibPerSecond;
        Map<String, String> unplugged = Map.of("devices." + DEVICE + ".queue.plug", "off");
        double free = run(setting, LINES.get(4), unplugged).kibPerSecond;
        return List.of(
                new Ablation(
                        name(),
                        "the plug's timer",
                        "aio1 R behind sync R (KiB/s)",
                        sync - plugged,
                        sync - free,
                        Math.abs(sync - free) < 0.01 * sync));
    }

    private static Plot plot(List<Run> runs) {
        List<Double> xs = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int i = 0; i < LINES.size(); i++) {
            xs.add(i + 1.0);
            ours.add(runs.get(i).kibPerSecond / 1024);
            theirs.add(LINES.get(i).kibPerSecond / 1024);
        }
        return new Plot(
                "Thread 004: throughput of forty disks",
                "",
                "MiB/s",
                List.of(
                        new Plot.Series("ours", xs, ours, false),
                        new Plot.Series("thread", xs, theirs, true)),
                LINES.stream().map(Line::name).toList());
    }
}
