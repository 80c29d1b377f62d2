package dev.spindle.testbench.experiment;

import dev.spindle.control.ControlAnswer;
import dev.spindle.testbench.experiment.Row.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Thread 001 by a real program: seqread under the shim. That kernel pulled the queue's plug when a
 * process waited for events; a kernel whose io_getevents does not is what the shim is, so the plug
 * is off for those lines. The kernel's bug is not there to be played, and how much of its time a
 * program computes is this machine's, so only the shares of who polls and who waits can be set
 * beside the thread's.
 */
public final class LiveThread001 implements Experiment {
    private static final String DEVICE = "thread001";
    private static final double GATE = 0.15;

    private record Line(String name, String mode, int depth, double realS, double cpuS) {
        String plug() {
            return mode.equals("sync") ? "on" : "off";
        }
    }

    private static final List<Line> LINES =
            List.of(
                    new Line("dd", "sync", 1, 2.514, 0.200),
                    new Line("aio 1, fixed", "poll", 1, 2.509, 2.510),
                    new Line("aio 1, fixed, waits", "aio", 1, 2.566, 0.250),
                    new Line("aio 32, fixed, waits", "aio", 32, 2.465, 0.090));

    @Override
    public String name() {
        return "001";
    }

    @Override
    public String title() {
        return "live: 2880 x 32 KiB by seqread, polling and waiting";
    }

    @Override
    public Outcome run(Setting setting) {
        LiveRun live = new LiveRun(setting.home(), setting.conf());
        List<Row> rows = new ArrayList<>();
        for (Line line : LINES) {
            ControlAnswer ours =
                    live.run(
                            List.of("--device", DEVICE, "--set", "queue/plug=" + line.plug()),
                            "seqread",
                            "--json",
                            "--mode",
                            line.mode,
                            "--depth",
                            Integer.toString(line.depth),
                            "/dev/" + DEVICE);
            rows.add(
                    Row.within(
                            name(),
                            line.name + ", real (s)",
                            line.realS,
                            ours.number("real_s"),
                            GATE,
                            line.depth == 32 ? Kind.FITTED : Kind.PREDICTED));
            rows.add(open(line, "user", ours.number("user_s"), ours.number("real_s")));
            rows.add(open(line, "system", ours.number("system_s"), ours.number("real_s")));
            rows.add(share(line, ours));
        }
        return new Outcome(rows, List.of(), List.of());
    }

    /** This machine's, not the thread's. */
    private Row open(Line line, String part, double seconds, double realS) {
        return new Row(
                name(),
                line.name + ", " + part + " (of real)",
                OptionalDouble.empty(),
                seconds / realS,
                Row.OPEN,
                Kind.PREDICTED,
                true);
    }

    private Row share(Line line, ControlAnswer ours) {
        double cpuS = ours.number("user_s") + ours.number("system_s");
        return new Row(
                name(),
                line.name + ", processor (of real)",
                OptionalDouble.of(line.cpuS / line.realS),
                cpuS / ours.number("real_s"),
                Row.OPEN,
                Kind.PREDICTED,
                true);
    }
}
