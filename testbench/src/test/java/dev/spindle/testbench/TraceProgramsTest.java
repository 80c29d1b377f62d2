package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces as blkparse, btt and fio read them, and fio's own logs as we read them. */
class TraceProgramsTest {
    /** device cpu sequence time pid action flags, and sectors where there are any. */
    private static final Pattern LINE =
            Pattern.compile(
                    " *(\\d+,\\d+) +(\\d+) +(\\d+) +([\\d.]+) +(\\d+) +([A-Z]+) +([A-Z]+)"
                            + "(?: (\\d+) [+/] (\\d+))?(.*)");

    @TempDir private Path folder;

    private record Line(
            String device, String action, String flags, long sector, long sectors, String rest) {}

    private List<Line> blkparse(Path name) {
        List<Line> lines = new ArrayList<>();
        String output = Command.of("blkparse", "-q", "-i", name.toString()).succeed().output();
        for (String text : output.split("\n", -1)) {
            Matcher matcher = LINE.matcher(text);
            if (matcher.matches()) {
                long sector = matcher.group(8) == null ? 0 : Long.parseLong(matcher.group(8));
                long sectors = matcher.group(9) == null ? 0 : Long.parseLong(matcher.group(9));
                lines.add(
                        new Line(
                                matcher.group(1),
                                matcher.group(6),
                                matcher.group(7),
                                sector,
                                sectors,
                                matcher.group(10)));
            }
        }
        return lines;
    }

    private static Map<String, Integer> counts(List<Line> lines) {
        Map<String, Integer> counts = new HashMap<>();
        lines.forEach(line -> counts.merge(line.action(), 1, Integer::sum));
        return counts;
    }

    /** Runs of neighbours and leaps, reads and writes of 4 KiB. */
    private Path log(long seed, int requests) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("fio version 2 iolog\nd add\nd open\n");
        long offset = 0;
        int reads = 0;
        for (int i = 0; i < requests; i++) {
            offset = random.nextInt(3) == 0 ? random.nextLong(100_000) * 8192 : offset + 4096;
            boolean isRead = random.nextBoolean();
            reads += isRead ? 1 : 0;
            text.append(isRead ? "d read " : "d write ").append(offset).append(" 4096\n");
        }
        assertThat(reads).isPositive();
        return Files.writeString(folder.resolve("log"), text.append("d close\n"));
    }

    private Config replay(Path trace, String... options) {
        String[] words = {Tools.launcher(), "replay", trace.toString(), "--json"};
        String output = Command.of(words).and(options).succeed().output();
        return ConfigFactory.parseString(output);
    }

    @Test
    void blkparseAndBttSeeWhatTheQueueDid() throws IOException {
        Tools.require("blkparse", "btt");
        Path name = folder.resolve("hda");
        Config ours =
                replay(
                        log(1, 1000),
                        "--speed",
                        "as-fast",
                        "--depth",
                        "40",
                        "--set",
                        "devices.hda.queue.nr_requests=8",
                        "--set",
                        "devices.hda.queue.plug=on",
                        "--blktrace",
                        name.toString());
        List<Line> lines = blkparse(name);
        Map<String, Integer> counts = counts(lines);
        assertThat(counts).containsEntry("Q", 1000).containsKeys("S", "M", "P");
        int merged = counts.getOrDefault("M", 0) + counts.getOrDefault("F", 0);
        for (String each : new String[] {"G", "I", "D", "C"}) {
            assertThat(counts).containsEntry(each, 1000 - merged);
        }
        assertThat(counts.getOrDefault("U", 0) + counts.getOrDefault("UT", 0))
                .isEqualTo(counts.get("P"));
        assertThat(lines)
                .filteredOn(line -> line.action().equals("U"))
                .allSatisfy(line -> assertThat(line.rest()).matches(" *\\[replay] [1-9]\\d*"));
        assertEachCommandInOrder(lines);
        assertBttAgrees(name, ours);
    }

    /** By its first sector at the time: I before D before C, of the same length from D on. */
    private static void assertEachCommandInOrder(List<Line> lines) {
        Map<String, Line> issued = new HashMap<>();
        Map<String, Integer> inserted = new HashMap<>();
        int ended = 0;
        for (Line line : lines) {
            String key = line.flags() + line.sector();
            switch (line.action()) {
                case "I" -> inserted.merge(line.flags(), 1, Integer::sum);
                case "D" -> {
                    inserted.merge(line.flags(), -1, Integer::sum);
                    assertThat(inserted.get(line.flags())).isNotNegative();
                    assertThat(issued.put(key, line)).isNull();
                }
                case "C" -> {
                    assertThat(issued).containsKey(key);
                    Line begun = Objects.requireNonNull(issued.remove(key));
                    assertThat(line.sectors()).isEqualTo(begun.sectors());
                    assertThat(line.rest()).isEqualTo(" [0]");
                    ended++;
                }
                default -> {}
            }
        }
        assertThat(issued).isEmpty();
        assertThat(ended).isPositive();
    }

    private void assertBttAgrees(Path name, Config ours) {
        Path binary = folder.resolve("hda.bin");
        Command.of("blkparse", "-q", "-i", name.toString(), "-d", binary.toString(), "-O")
                .succeed();
        String said = Command.of("btt", "-i", binary.toString()).in(folder).succeed().output();
        Matcher q2c =
                Pattern.compile("(?m)^Q2C +[\\d.]+ +([\\d.]+) +[\\d.]+ +(\\d+)$").matcher(said);
        assertThat(q2c.find()).as(said).isTrue();
        assertThat(q2c.group(2)).isEqualTo("1000");
        double theirsUs = Double.parseDouble(q2c.group(1)) * 1e6;
        assertThat(ours.getDouble("stages_us.model.q2c.mean")).isCloseTo(theirsUs, within(0.001));
        Config again = replay(name);
        assertThat(again.getDouble("stages_us.recorded.q2c.mean"))
                .isCloseTo(theirsUs, within(0.001));
    }

    @Test
    void splitsFlushesAndDiscardsAreShownAsSuch() throws IOException {
        Tools.require("blkparse");
        Path log =
                Files.writeString(
                        folder.resolve("log"),
                        """
                        fio version 3 iolog
                        0 d add
                        0 d open
                        0 d read 0 327680
                        900000 d sync 0 0
                        1800000 d trim 0 1048576
                        1800000 d close
                        """);
        Path name = folder.resolve("hda");
        replay(log, "--blktrace", name.toString());
        List<String> lines =
                blkparse(name).stream()
                        .map(line ->
                                (line.action()
                                        + " "
                                        + line.flags()
                                        + " "
                                        + line.sector()
                                        + " "
                                        + line.sectors()))
                        .toList();
        assertThat(lines)
                .startsWith(
                        "Q R 0 640",
                        "X R 0 256",
                        "G R 0 256",
                        "I R 0 256",
                        "X R 256 512",
                        "G R 256 256",
                        "I R 256 256",
                        "G R 512 128",
                        "I R 512 128",
                        "D R 0 256")
                .containsSubsequence(
                        "Q FWS 0 0", "G FWS 0 0", "I FWS 0 0", "D FWS 0 0", "C FWS 0 0")
                .containsSubsequence("Q D 0 2048", "G D 0 2048", "D D 0 2048", "C D 0 2048");
    }

    @Test
    void aPacketWriterIsADeviceAboveTheDrivesOwn() throws IOException {
        Tools.require("blkparse");
        Path log =
                Files.writeString(
                        folder.resolve("log"),
                        """
                        fio version 2 iolog
                        d add
                        d open
                        d write 0 2048
                        d write 65536 32768
                        d read 131072 4096
                        """);
        Path name = folder.resolve("dvd");
        replay(log, "--conf", Tools.home() + "/conf/dvd.conf", "--blktrace", name.toString());
        List<Line> lines = blkparse(name);
        assertThat(counts(of("43,0", lines))).isEqualTo(Map.of("Q", 3, "C", 3));
        Map<String, Integer> below = counts(of("11,0", lines));
        assertThat(below.get("D")).isEqualTo(below.get("C")).isGreaterThan(3);
        assertThat(of("11,0", lines))
                .filteredOn(line -> line.flags().equals("W") && line.action().equals("D"))
                .allSatisfy(line -> assertThat(line.sectors()).isEqualTo(64));
    }

    private static List<Line> of(String device, List<Line> lines) {
        return lines.stream().filter(line -> line.device().equals(device)).toList();
    }

    @Test
    void fioReplaysOurTrace() throws IOException {
        Tools.require("fio");
        Path name = folder.resolve("hda");
        Config ours = replay(log(2, 400), "--blktrace", name.toString());
        Path image = folder.resolve("image");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(1 << 30);
        }
        Config job =
                fio(
                        "--read_iolog=" + name + ".blktrace.0",
                        "--replay_redirect=" + image,
                        "--replay_no_stall=1",
                        "--ioengine=sync");
        assertThat(job.getLong("read.total_ios")).isEqualTo(ours.getLong("latency_us.read.count"));
        assertThat(job.getLong("write.total_ios"))
                .isEqualTo(ours.getLong("latency_us.write.count"));
        assertThat(job.getLong("read.io_bytes") + job.getLong("write.io_bytes"))
                .isEqualTo(ours.getLong("bytes"));
    }

    @Test
    void weReplayWhatFioLogs() {
        Tools.require("fio");
        Path log = folder.resolve("written");
        Config job =
                fio(
                        "--filename=" + folder.resolve("image"),
                        "--size=4m",
                        "--rw=randrw",
                        "--bs=4k",
                        "--ioengine=sync",
                        "--fsync=16",
                        "--randseed=7",
                        "--write_iolog=" + log);
        Config ours = replay(log, "--speed", "as-fast", "--depth", "1");
        assertThat(ours.getLong("latency_us.read.count")).isEqualTo(job.getLong("read.total_ios"));
        assertThat(ours.getLong("latency_us.write.count"))
                .isEqualTo(job.getLong("write.total_ios"));
        assertThat(ours.getLong("bytes")).isEqualTo(4 << 20);
        assertThat(ours.getLong("errors")).isZero();
    }

    private Config fio(String... options) {
        String output =
                Command.of("fio", "--name=a", "--output-format=json")
                        .and(options)
                        .in(folder)
                        .succeed()
                        .output();
        return ConfigFactory.parseString(output.substring(output.indexOf('{')))
                .getConfigList("jobs")
                .getFirst();
    }

    @Test
    void aServedDeviceIsTracedWhileItWorks() throws IOException {
        Tools.require("blkparse", "nbdcopy");
        Path conf =
                Files.writeString(
                        folder.resolve("t.conf"),
                        """
                        include "%s/conf/drives/null.conf"
                        devices { fast { drive = null, size = 16 MiB, trace = first } }
                        """
                                .formatted(Tools.home()));
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            copy(daemon);
            daemon.spindle("trace", "fast", "--stop").succeed();
            copy(daemon);
            Path second = folder.resolve("second");
            String ended =
                    daemon.spindle("trace", "fast", "-o", second.toString(), "--duration", "0.1")
                            .succeed()
                            .output();
            assertThat(ended).matches("fast: \\d+ records, 0 dropped, .*second.blktrace.0\n");
            assertThat(daemon.spindle("trace", "fast", "-o", folder + "/none/t").run().errors())
                    .contains("cannot write the trace")
                    .contains("no such file or folder");
            assertThat(daemon.stop()).isZero();
        }
        List<Line> lines = blkparse(folder.resolve("first"));
        assertThat(lines)
                .filteredOn(line -> line.action().equals("Q"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.flags()).isEqualTo("R"));
        long completed =
                lines.stream()
                        .filter(line -> line.action().equals("C"))
                        .mapToLong(Line::sectors)
                        .sum();
        assertThat(completed).isEqualTo((16 << 20) / 512);
    }

    private void copy(Daemon daemon) {
        Command.of("nbdcopy", "--no-extents", daemon.uri("fast"), folder.resolve("copy").toString())
                .succeed();
    }
}
