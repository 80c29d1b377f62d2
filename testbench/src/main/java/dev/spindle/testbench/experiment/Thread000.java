package dev.spindle.testbench.experiment;

import dev.spindle.plot.Plot;
import dev.spindle.testbench.experiment.Row.Kind;
import dev.spindle.testbench.host.AioReader;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * "async I/O seems to be blocking on 2.6.15", November 2006: 100 reads of 1 MiB take as long to
 * submit as to read, until nr_requests is raised.
 */
public final class Thread000 implements Experiment {
    private static final String DEVICE = "thread000";
    private static final int READS = 100;
    private static final int READ_BYTES = 1 << 20;
    private static final int BIO_BYTES = 128 << 10;

    private static final double TOTAL_S = 5.327;
    private static final double ABOUT_FIVE_S = 5.0;
    private static final double REMAINING_S = 1.0;
    private static final int[] POOLS = {32, 64, 128, 256, 512, 768, 1024, 2048};

    /** One run of the program. */
    record Run(double enqueueS, double totalS, double cpuS) {}

    /** By nr_requests. */
    private record Runs(Map<Integer, Run> byPool) {
        Run of(int pool) {
            return Objects.requireNonNull(byPool.get(pool));
        }
    }

    @Override
    public String name() {
        return "000";
    }

    @Override
    public String title() {
        return "io_submit blocks: 100 x 1 MiB O_DIRECT reads and the request pool";
    }

    static Run run(
            Setting setting,
            int nrRequests,
            AioReader.Plan plan,
            Map<String, String> overrides,
            EventHeap events) {
        Map<String, String> all = new HashMap<>(overrides);
        all.put("devices." + DEVICE + ".queue.nr_requests", Integer.toString(nrRequests));
        var device = new DeviceShelf(setting.conf()).open(DEVICE, all, events);
        AioReader reader = new AioReader(plan, events, device);
        reader.start();
        events.run();
        return new Run(reader.enqueueSeconds(), reader.totalSeconds(), reader.cpuSeconds());
    }

    static long cpuPerPageNs(Setting setting) {
        return setting.host(DEVICE).cpuPerPageNs();
    }

    static AioReader.Plan plan(int bioBytes, long cpuPerPageNs, boolean isCold) {
        return new AioReader.Plan(READS, READ_BYTES, bioBytes, cpuPerPageNs, isCold);
    }

    private static Run run(Setting setting, int nrRequests, boolean isCold) {
        AioReader.Plan plan = plan(BIO_BYTES, cpuPerPageNs(setting), isCold);
        return run(setting, nrRequests, plan, Map.of(), new EventHeap());
    }

    @Override
    public Outcome run(Setting setting) {
        Runs warm = new Runs(new HashMap<>());
        for (int pool : POOLS) {
            warm.byPool.put(pool, run(setting, pool, false));
        }
        List<Row> rows = new ArrayList<>(rows(warm));
        for (int pool : new int[] {32, 128, 1024, 2048}) {
            double enqueueS = run(setting, pool, true).enqueueS;
            rows.add(
                    row(
                            "enqueue, metadata cold, nr " + pool + " (s)",
                            OptionalDouble.empty(),
                            enqueueS,
                            ">= 5 s",
                            enqueueS >= 5));
        }
        return new Outcome(rows, ablations(setting, warm), List.of(plot(warm)));
    }

    private List<Row> rows(Runs warm) {
        Run small = warm.of(128);
        Run middle = warm.of(512);
        Run large = warm.of(1024);
        Run larger = warm.of(2048);
        double share = small.enqueueS / small.totalS;
        return List.of(
                Row.within(name(), "total, nr 128 (s)", TOTAL_S, small.totalS, 0.03, Kind.FITTED),
                Row.within(name(), "processor time (s)", 0.740, small.cpuS, 0.03, Kind.FITTED),
                row(
                        "enqueue, nr 128 (s)",
                        OptionalDouble.of(ABOUT_FIVE_S),
                        small.enqueueS,
                        "0.78-0.95 of the total",
                        share >= 0.78 && share <= 0.95),
                row(
                        "enqueue, nr 512 (s)",
                        OptionalDouble.empty(),
                        middle.enqueueS,
                        "between nr 128 and 1024",
                        middle.enqueueS > large.enqueueS && middle.enqueueS < small.enqueueS),
                row(
                        "enqueue, nr 1024 (s)",
                        OptionalDouble.of(REMAINING_S),
                        large.enqueueS,
                        "0.7-1.1 s",
                        large.enqueueS >= 0.7 && large.enqueueS <= 1.1),
                row(
                        "enqueue, nr 2048 (s)",
                        OptionalDouble.of(REMAINING_S),
                        larger.enqueueS,
                        "that of nr 1024 +-1 %",
                        Math.abs(larger.enqueueS / large.enqueueS - 1) <= 0.01),
                Row.within(
                        name(), "total, nr 1024 (s)", TOTAL_S, large.totalS, 0.03, Kind.PREDICTED));
    }

    private Row row(String name, OptionalDouble thread, double ours, String gate, boolean passes) {
        return new Row(name(), name, thread, ours, gate, Kind.PREDICTED, passes);
    }

    private List<Ablation> ablations(Setting setting, Runs warm) {
        double remaining = warm.of(1024).enqueueS;
        double free =
                run(setting, 1024, plan(BIO_BYTES, 0, false), Map.of(), new EventHeap()).enqueueS;
        double blocked = warm.of(128).enqueueS;
        Map<String, String> uncut =
                Map.of(
                        "drives.laptop-ide-2006.max_hw_sectors_kb", "1024",
                        "drives.laptop-ide-2006.queue.max_sectors_kb", "1024");
        double whole =
                run(
                                setting,
                                128,
                                plan(READ_BYTES, cpuPerPageNs(setting), false),
                                uncut,
                                new EventHeap())
                        .enqueueS;
        return List.of(
                new Ablation(
                        name(),
                        "processor time of a page",
                        "enqueue, nr 1024 (s)",
                        remaining,
                        free,
                        free < 0.05),
                new Ablation(
                        name(),
                        "cutting at 128 KiB",
                        "enqueue, nr 128 (s)",
                        blocked,
                        whole,
                        whole < 1.1));
    }

    private static Plot plot(Runs warm) {
        List<Double> xs = new ArrayList<>();
        List<Double> enqueue = new ArrayList<>();
        List<Double> total = new ArrayList<>();
        for (int pool : POOLS) {
            xs.add((double) pool);
            enqueue.add(warm.of(pool).enqueueS);
            total.add(warm.of(pool).totalS);
        }
        return new Plot(
                "Thread 000: time in io_submit",
                "nr_requests",
                "s",
                List.of(
                        new Plot.Series("enqueue", xs, enqueue, false),
                        new Plot.Series("total", xs, total, false),
                        new Plot.Series(
                                "thread", List.of(128.0, 1024.0), List.of(5.0, 1.0), true)));
    }
}
