package dev.spindle.testbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.cli.Experiments;
import dev.spindle.cli.Experiments.Simulation;
import dev.spindle.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateProgramTest {
    private static final Path HOME = Path.of(Files.isDirectory(Path.of("conf")) ? "" : "..");

    @TempDir private Path folder;

    private static Simulation order(
            String conf, String workload, Map<String, String> settings, String... sweeps) {
        return new Simulation(
                HOME.resolve("conf").resolve(conf),
                Optional.empty(),
                Optional.empty(),
                Optional.of(workload),
                Map.of(),
                settings,
                List.of(sweeps),
                1,
                false,
                Optional.empty());
    }

    private static Simulation onDevice(String device, Map<String, String> flags, String... sweeps) {
        return new Simulation(
                HOME.resolve("conf/simulate.conf"),
                Optional.of(device),
                Optional.empty(),
                Optional.empty(),
                flags,
                Map.of(),
                List.of(sweeps),
                1,
                false,
                Optional.empty());
    }

    private static List<SimulationReport.Run> runs(Simulation order) {
        return SimulateProgram.simulate(order).runs();
    }

    private static Experiments experiments() {
        return ServiceLoader.load(Experiments.class).findFirst().orElseThrow();
    }

    private static String output(Simulation order) throws IOException {
        StringWriter out = new StringWriter();
        experiments().simulate(order, new PrintWriter(out));
        return out.toString();
    }

    @Test
    void agreesWithThread000ToTheLastDigit() throws IOException {
        StringWriter out = new StringWriter();
        var scorecard = new Experiments.Order("000", true, Optional.empty(), 1, false);
        experiments().run(scorecard, HOME, new PrintWriter(out));
        var runs =
                runs(order("experiments.conf", "thread000", Map.of(), "nr_requests=128,512,1024"));
        for (SimulationReport.Run run : runs) {
            String row = "enqueue, nr " + run.values().getFirst() + " (s)";
            assertThat(out.toString()).contains(line(row, run.measures().of(Measure.SUBMIT)));
        }
        double total = runs.getFirst().measures().of(Measure.SECONDS);
        assertThat(out.toString()).contains(line("total, nr 128 (s)", total));
    }

    private static String line(String row, double ours) {
        return "\"ours\":" + ours + ",\"pass\":true,\"row\":\"" + row + "\"";
    }

    @Test
    void aLongerPacketQueueMakesManyFilesFasterAndPacketsWhole() {
        var runs =
                runs(
                        order(
                                "simulate.conf",
                                "many-files",
                                Map.of("packet/scheduler", "when_stuck"),
                                "packet/congestion_on=1024,65536"));
        Measures bounded = runs.getFirst().measures();
        Measures free = runs.getLast().measures();
        assertThat(bounded.of(Measure.SECONDS)).isGreaterThan(2 * free.of(Measure.SECONDS));
        assertThat(bounded.of(Measure.PARTIAL)).isGreaterThan(4 * free.of(Measure.PARTIAL));
        assertThat(bounded.of(Measure.SLEEPS)).isPositive();
        assertThat(free.of(Measure.SLEEPS)).isZero();
    }

    @Test
    void theSameSeedGivesTheSameOutputAndAnotherAnother() throws IOException {
        var first = output(order("simulate.conf", "mixed", Map.of("total", "1 MiB")));
        assertThat(output(order("simulate.conf", "mixed", Map.of("total", "1 MiB"))))
                .isEqualTo(first);
        var other = order("simulate.conf", "mixed", Map.of("total", "1 MiB", "seed", "2"));
        assertThat(output(other)).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "laptop",
                "desktop",
                "atlas-10k",
                "barracuda",
                "cheetah-4lp",
                "cheetah-9lp",
                "hp-c2247a",
                "hp-c3323a",
                "null",
                "dvd",
                "dvd-rw",
                "dvd-ram",
                "cd-rw"
            })
    void everyShippedDeviceMovesWhatItIsToldTo(String device) {
        Map<String, String> flags =
                Map.of("block", "2k..64k", "total", "1 MiB", "reads", "50", "depth", "3");
        for (var run : runs(onDevice(device, flags, "pattern=sequential,random,mixed"))) {
            assertThat(run.measures().of(Measure.ERRORS)).isZero();
            double seconds = run.measures().of(Measure.SECONDS);
            assertThat(run.measures().of(Measure.RATE) * seconds)
                    .isBetween(seconds == 0 ? 0 : 1.048, 1.049);
        }
    }

    @Test
    void filesAreReadAndWrittenWhereTheirFileSystemPutThem() {
        Map<String, String> flags =
                Map.of("files", "5", "total", "2 MiB", "block", "32 KiB", "pattern", "random");
        for (var run : runs(onDevice("dvd", flags, "file_system=raw,ext2,udf", "reads=100,0"))) {
            assertThat(run.measures().of(Measure.REQUESTS)).isEqualTo(64);
            assertThat(run.measures().of(Measure.ERRORS)).isZero();
        }
    }

    @Test
    void writesThroughThePageCacheAreFastUntilTheyAreSynced() {
        Map<String, String> flags =
                Map.of("access", "buffered", "block", "128 KiB", "total", "40 MiB");
        var runs = runs(onDevice("laptop", flags, "sync=off,on"));
        assertThat(runs.getFirst().measures().of(Measure.RATE)).isGreaterThan(300);
        assertThat(runs.getLast().measures().of(Measure.RATE)).isBetween(10.0, 20.0);
    }

    @Test
    void aGridHasARowForEachPairAndAPageWithPlots() throws IOException {
        Path html = folder.resolve("grid.html");
        Simulation grid =
                onDevice("laptop", Map.of("total", "256 KiB"), "depth=1..4*2", "block=4k,8k");
        Simulation order =
                new Simulation(
                        grid.conf(),
                        grid.device(),
                        grid.drive(),
                        grid.workload(),
                        grid.flags(),
                        Map.of(),
                        grid.sweeps(),
                        3,
                        true,
                        Optional.of(html));
        assertThat(output(order)).contains("\"depth\":\"4\"").contains("\"block\":\"8k\"");
        assertThat(runs(order)).hasSize(6);
        assertThat(Files.readString(html))
                .contains("<svg")
                .contains("block=8k")
                .doesNotContain("NaN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nr_requsts=1,2|nr_requsts: unknown key, did you mean nr_requests?",
                "congestion_on=1,2|congestion_on: could be devices",
                "elevator=noop,foo|\"foo\" is unknown, allowed noop or deadline",
                "depth=4..1*2|needs one unit and must go up",
                "depth=1,1|a value twice",
                "depth|is not KEY=A,B,C",
                "depth=|allowed 1 to 256 values",
                "block=700|is not a multiple of the 512 bytes of laptop",
                "area=100 TiB|beyond the",
                "access=buffered|depth"
            })
    void refusesWhatMakesNoSense(String sweep, String message) {
        Map<String, String> flags = Map.of("pattern", "random", "total", "64 KiB");
        assertThatThrownBy(() -> runs(onDevice("laptop", flags, sweep)))
                .isInstanceOfAny(ConfigException.class, IllegalArgumentException.class)
                .hasMessageContaining(message.equals("depth") ? "access = buffered" : message);
    }

    @Test
    void asksWhichDeviceWhereNobodySays() {
        Simulation order = order("simulate.conf", "mixed", Map.of());
        Simulation nameless =
                new Simulation(
                        order.conf(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        1,
                        false,
                        Optional.empty());
        assertThatThrownBy(() -> runs(nameless)).hasMessageContaining("which device?");
        assertThatThrownBy(() -> runs(order("simulate.conf", "mixd", Map.of())))
                .hasMessageContaining("no workload mixd, there is aio-2006");
    }

    private Simulation withDrive(String drive, Optional<String> device, Optional<String> workload)
            throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("three.conf"),
                        """
                        drives {
                          slow { kind = disk, max_hw_sectors_kb = 128, rpm = 5400, heads = 2
                            head_switch = 1ms, bus_rate = 100 MB/s
                            zones = [ { cylinders = 1000, sectors_per_track = 500 } ]
                            seek { track_to_track = 1ms, average = 8ms, full_stroke = 15ms } }
                          spare = ${drives.slow} { rpm = 10800 }
                        }
                        devices { a { drive = slow, size = 8 MiB }, b { drive = slow, size = 8 MiB } }
                        workloads { reads { device = b, pattern = random, total = 1 MiB } }
                        """);
        return new Simulation(
                conf,
                device,
                Optional.of(drive),
                workload,
                workload.isPresent()
                        ? Map.of()
                        : Map.of("pattern", "random", "block", "4 KiB", "total", "1 MiB"),
                Map.of(),
                List.of(),
                1,
                false,
                Optional.empty());
    }

    @Test
    void aDriveThatNoDeviceHasIsPutIntoTheDeviceThatIsNamed() throws IOException {
        for (Optional<String> workload : List.of(Optional.<String>empty(), Optional.of("reads"))) {
            Optional<String> device = workload.isPresent() ? Optional.empty() : Optional.of("b");
            double slow = seconds(withDrive("slow", Optional.of("b"), workload));
            double fast = seconds(withDrive("spare", device, workload));
            assertThat(fast).as("twice the revolutions").isBetween(0.3 * slow, 0.95 * slow);
        }
    }

    private static double seconds(Simulation order) {
        return runs(order).getFirst().measures().of(Measure.SECONDS);
    }

    @Test
    void aDriveThatNoDeviceHasNeedsOneToBePutInto() throws IOException {
        Simulation nowhere = withDrive("spare", Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> runs(nowhere))
                .hasMessage(
                        "no device has the drive spare, and --device does not say which is to have"
                                + " it; there is a, b");
        Simulation unknown = withDrive("spair", Optional.of("a"), Optional.empty());
        assertThatThrownBy(() -> runs(unknown))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("devices.a.drive")
                .hasMessageContaining("spair");
    }
}
