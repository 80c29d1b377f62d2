package dev.spindle.testbench.experiment;

import dev.spindle.control.ControlAnswer;
import dev.spindle.testbench.experiment.Row.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Thread 004 by a real program: manydisks under the shim, with eight disks in place of forty and
 * 128 requests in place of 4000, so that a laptop's two processors and memory are enough. The rate
 * of one disk is set beside a fortieth of the thread's. Interrupts and an 8-way machine's context
 * switches are not there to be counted.
 */
public final class LiveThread004 implements Experiment {
    private static final int THEIR_DISKS = 40;
    private static final int DISKS = 8;
    private static final int REQUESTS = 128;
    private static final double GATE = 0.20;

    private record Line(String name, String mode, int depth, boolean isWrite, double kibPerS) {}

    private static final List<Line> LINES =
            List.of(
                    new Line("sync R dio", "sync", 1, false, 384_109),
                    new Line("sync W dio", "sync", 1, true, 303_026),
                    new Line("aio1 R", "aio", 1, false, 347_174),
                    new Line("aio1 W", "aio", 1, true, 305_154),
                    new Line("aio4 R", "aio", 4, false, 353_368),
                    new Line("aio4 W", "aio", 4, true, 307_168));

    @Override
    public String name() {
        return "004";
    }

    @Override
    public String title() {
        return "live: eight disks by manydisks, synchronous and asynchronous";
    }

    @Override
    public Outcome run(Setting setting) {
        try {
            Path folder = Files.createTempDirectory("spindle-live");
            try {
                return run(LiveRun.of(setting.home(), folder, conf(setting)));
            } finally {
                Files.deleteIfExists(folder.resolve("live.conf"));
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The thread's disk, eight times. */
    private static String conf(Setting setting) {
        StringBuilder conf = new StringBuilder();
        conf.append("include \"").append(setting.conf()).append("\"\n");
        for (String name : names()) {
            conf.append("devices { ").append(name);
            conf.append(" = ${devices.thread004} { size = 64 MiB } }\n");
        }
        return conf.toString();
    }

    private static List<String> names() {
        return IntStream.range(0, DISKS).mapToObj(number -> "disk" + number).toList();
    }

    private Outcome run(LiveRun live) {
        List<Row> rows = new ArrayList<>();
        for (Line line : LINES) {
            List<String> words = new ArrayList<>();
            Collections.addAll(words, "manydisks", "--json", "--mode", line.mode);
            Collections.addAll(words, "--depth", Integer.toString(line.depth));
            Collections.addAll(words, "--requests", Integer.toString(REQUESTS));
            if (line.isWrite) {
                words.add("--write");
            }
            names().forEach(name -> words.add("/dev/" + name));
            ControlAnswer ours =
                    live.run(
                            List.of("--device", String.join(",", names())),
                            words.toArray(String[]::new));
            rows.add(
                    Row.within(
                            name(),
                            line.name + ", a disk (KiB/s)",
                            line.kibPerS / THEIR_DISKS,
                            ours.number("kib_per_s") / DISKS,
                            GATE,
                            line.name.equals("aio4 R") ? Kind.FITTED : Kind.PREDICTED));
        }
        return new Outcome(rows, List.of(), List.of());
    }
}
