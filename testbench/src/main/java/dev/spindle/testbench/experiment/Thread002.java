package dev.spindle.testbench.experiment;

import dev.spindle.config.HostConfig;
import dev.spindle.packet.CongestionPolicy;
import dev.spindle.packet.WriteMarks;
import dev.spindle.plot.Plot;
import dev.spindle.testbench.experiment.Row.Kind;
import dev.spindle.testbench.host.Burner;
import dev.spindle.testbench.host.DeviceShelf;
import dev.spindle.testbench.host.DiscWriter;
import dev.spindle.testbench.host.FileTree;
import dev.spindle.time.EventHeap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * "Speed up the cdrw packet writing driver", August 2004: how long files take to reach a 4x DVD+RW
 * disc, by the bound on the packet writer's queue.
 */
public final class Thread002 implements Experiment {
    private static final int FRAMES_PER_MIB = 512;
    static final String HOST = "thread002";
    private static final String BURNER = "thread002-burner";

    /** What it costs to turn the laser, taken away. */
    private static final Map<String, String> FREE_TURNS =
            Map.of(
                    "drives.\"dvd+rw-4x\".read_access", "0 ms",
                    "drives.\"dvd+rw-4x\".write_restart", "0 ms");

    private static final int NO_LIMIT = 0;

    /** A test of the thread; runs of the same thing are averaged. */
    private record Test(
            String name, int files, int mib, boolean isExt2, int limit, double seconds) {
        String row() {
            return name + ", limit " + (limit == NO_LIMIT ? "none" : limit) + " (s)";
        }

        Kind kind() {
            boolean isFitted =
                    (name.equals("T2") && (limit == 1024 || limit == NO_LIMIT))
                            || (name.equals("T5") && limit == NO_LIMIT);
            return isFitted ? Kind.FITTED : Kind.PREDICTED;
        }
    }

    private static final List<Test> TESTS =
            List.of(
                    new Test("T1", 1, 250, false, 1024, 53.2),
                    new Test("T1", 1, 250, false, 8192, 54.6),
                    new Test("T1", 1, 250, false, NO_LIMIT, 51.2),
                    new Test("T2", 29, 120, false, 1024, 71.6),
                    new Test("T2", 29, 120, false, 8192, 81.1),
                    new Test("T2", 29, 120, false, 32768, 52.7),
                    new Test("T2", 29, 120, false, 49152, 31.4),
                    new Test("T2", 29, 120, false, 65536, 26.6),
                    new Test("T2", 29, 120, false, NO_LIMIT, 27.7),
                    new Test("T3", 48, 196, false, 65536, 65.8),
                    new Test("T3", 48, 196, false, NO_LIMIT, 40.2),
                    new Test("T4", 48, 196, false, 65536, 67.4),
                    new Test("T4", 48, 196, false, NO_LIMIT, 41.8),
                    new Test("T5", 48, 196, true, 1024, 169.7),
                    new Test("T5", 48, 196, true, 2048, (110.4 + 144.4) / 2),
                    new Test("T5", 48, 196, true, 4096, (76.8 + 71.4) / 2),
                    new Test("T5", 48, 196, true, NO_LIMIT, (59.9 + 57.0 + 68.9) / 3));

    @Override
    public String name() {
        return "002";
    }

    @Override
    public String title() {
        return "packet writing: many files on a DVD+RW, and a bound on the queue";
    }

    private static double median(
            Setting setting, Test test, Map<String, String> overrides, int passFrames) {
        int seeds = setting.seeds();
        double[] seconds = new double[seeds];
        for (int i = 0; i < seeds; i++) {
            seconds[i] = run(setting, test, overrides, passFrames, i + 1);
        }
        Arrays.sort(seconds);
        return seeds % 2 == 1
                ? seconds[seeds / 2]
                : (seconds[seeds / 2 - 1] + seconds[seeds / 2]) / 2;
    }

    /** The burner of the thread, with the driver's marks as a test has them. */
    static Burner burner(
            Setting setting,
            Map<String, String> overrides,
            CongestionPolicy policy,
            WriteMarks marks,
            EventHeap events) {
        DeviceShelf shelf = new DeviceShelf(setting.conf());
        return Burner.of(shelf.open(BURNER, overrides, events)).with(policy, marks);
    }

    private static double run(
            Setting setting, Test test, Map<String, String> overrides, int passFrames, long seed) {
        EventHeap events = new EventHeap();
        WriteMarks marks =
                test.limit == NO_LIMIT
                        ? WriteMarks.NEVER
                        : new WriteMarks(test.limit, test.limit - 1);
        Burner burner = burner(setting, overrides, CongestionPolicy.BLOCK, marks, events);
        int frames = test.mib * FRAMES_PER_MIB;
        FileTree tree =
                test.isExt2
                        ? FileTree.ext2(test.files, frames, seed)
                        : FileTree.udf(test.files, frames, seed);
        HostConfig host = setting.host(HOST);
        DiscWriter writer =
                new DiscWriter(
                        tree,
                        host.cpuPerRequestNs(),
                        passFrames,
                        test.isExt2 ? host.metadataReads() : 0,
                        seed,
                        events,
                        burner.device());
        writer.start();
        events.run();
        return writer.seconds();
    }

    @Override
    public Outcome run(Setting setting) {
        List<Row> rows = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        double squares = 0;
        int count = 0;
        for (Test test : TESTS) {
            double seconds = median(setting, test, Map.of(), DiscWriter.passFrames());
            ours.add(seconds);
            double gate = test.isExt2 ? 0.30 : 0.20;
            rows.add(Row.within(name(), test.row(), test.seconds, seconds, gate, test.kind()));
            if (!test.isExt2) {
                squares += Math.pow(Math.log(seconds / test.seconds), 2);
                count++;
            }
        }
        double rms = Math.sqrt(squares / count);
        rows.add(check("T1-T4, rms of log error", rms, "<= 0.10", rms <= 0.10));
        int last = TESTS.size() - 1;
        boolean isMonotone =
                ours.get(last - 3) > ours.get(last - 2)
                        && ours.get(last - 2) > ours.get(last - 1)
                        && ours.get(last - 1) > ours.get(last);
        rows.add(
                check(
                        "T5, limit 1024 over none",
                        ours.get(last - 3) / ours.get(last),
                        "monotone in the limit",
                        isMonotone));
        rows.addAll(new SharedPool(setting).rows());
        return new Outcome(rows, ablations(setting, ours), List.of(plot(ours)));
    }

    private Row check(String row, double ours, String gate, boolean passes) {
        return new Row(name(), row, OptionalDouble.empty(), ours, gate, Kind.PREDICTED, passes);
    }

    private List<Ablation> ablations(Setting setting, List<Double> ours) {
        Test limited = TESTS.get(3);
        Test free = TESTS.get(8);
        double effect = ours.get(3) / ours.get(8);
        int pass = DiscWriter.passFrames();
        double without =
                median(setting, limited, FREE_TURNS, pass)
                        / median(setting, free, FREE_TURNS, pass);
        double whole = median(setting, limited, Map.of(), Integer.MAX_VALUE);
        return List.of(
                new Ablation(
                        name(),
                        "the cost of turning the laser",
                        "T2, limit 1024 over none",
                        effect,
                        without,
                        without < 1.1),
                new Ablation(
                        name(),
                        "passes of 4 MiB",
                        "T2, limit 1024 (s)",
                        ours.get(3),
                        whole,
                        whole < 0.8 * ours.get(3)));
    }

    private static Plot plot(List<Double> ours) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int i = 3; i < 8; i++) {
            xs.add((double) TESTS.get(i).limit);
            ys.add(ours.get(i));
            theirs.add(TESTS.get(i).seconds);
        }
        return new Plot(
                "Thread 002: 29 files, 120 MiB, by the bound on the queue",
                "bios",
                "s",
                List.of(
                        new Plot.Series("ours", xs, ys, false),
                        new Plot.Series("thread", xs, theirs, true)));
    }
}
