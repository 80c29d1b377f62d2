package dev.spindle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.config.Tunable;
import dev.spindle.daemon.Daemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MainTest {
    @TempDir private Path folder;
    private CliFixture cli;

    @BeforeEach
    void install() throws IOException {
        cli = new CliFixture(folder);
    }

    private void assertOneErrorLine(String line) {
        assertThat(cli.errorLines()).containsExactly("spindle: " + line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|no command given",
                "fly|Unmatched argument at index 0: 'fly'",
                "serve|Missing required parameter: 'CONF'",
                "serve a.conf --port x|Invalid value for option '--port': 'x' is not a whole number",
                "serve a.conf b.conf|Unmatched argument at index 2: 'b.conf'",
                "tune|Missing required parameters: 'DEVICE', 'KEY=VALUE'",
                "tune hda|Missing required parameter: 'KEY=VALUE'",
                "run|Missing required parameter: 'PROGRAM [ARGUMENT]'",
                "stat --every 3|Unknown option: '--every'",
                "print-config|Missing required parameter: 'CONF'",
                "experiment|Missing required parameter: 'NAME'",
                "experiment --json simulate|--json stands before 'simulate': put it behind"
            })
    void answersWrongUsageWithALineAndAHintAndStatus2(String arguments, String line) {
        String[] split = arguments == null ? new String[0] : arguments.split(" ", -1);
        assertThat(cli.spindle(split)).isEqualTo(2);
        assertThat(cli.errorLines()).hasSize(2);
        assertThat(cli.errorLines().get(0)).startsWith("spindle: " + line);
        assertThat(cli.errorLines().get(1)).matches("Try 'spindle.* --help'\\.");
    }

    @Test
    void saysThatExperimentsAreNotBuiltWhereTheLauncherGivesNone() {
        assertThat(cli.spindle("experiment", "list")).isEqualTo(1);
        assertOneErrorLine("the experiments are not built: run 'make build'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "run", "tune", "stat", "list", "print-config", "experiment"})
    void explainsEachCommandWithExamples(String command) {
        assertThat(cli.spindle(command, "--help")).isZero();
        assertThat(cli.out.toString())
                .contains("Usage: spindle " + command)
                .contains("Examples:")
                .contains("  spindle " + command);
    }

    @Test
    void explainsEveryKeyThatCanBeTuned() {
        assertThat(cli.spindle("tune", "--help")).isZero();
        for (Tunable tunable : Tunable.values()) {
            assertThat(cli.out.toString())
                    .contains("  " + tunable.path() + " (" + tunable.allowed() + "): ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "run", "tune", "stat", "list", "print-config", "experiment"})
    void foldsNoExample(String command) {
        assertThat(cli.spindle(command, "--help")).isZero();
        String help = cli.out.toString();
        assertThat(help.substring(help.indexOf("Examples:")).lines().skip(1))
                .allMatch(line -> line.isEmpty() || line.startsWith("  "));
    }

    @Test
    void saysWhichVersionItIs() {
        assertThat(cli.spindle("--version")).isZero();
        assertThat(cli.out.toString()).matches("spindle \\d+\\.\\d+\\.\\d+.*\\R");
    }

    @Test
    void saysThatNoDaemonRuns() {
        assertThat(cli.spindle("list")).isZero();
        assertThat(cli.out.toString()).startsWith("no daemon is running");
        assertThat(cli.spindle("stat")).isEqualTo(1);
        assertOneErrorLine("no daemon is running; start one with 'spindle serve CONF'");
        assertThat(cli.spindle("tune", "hda", "nr_requests=64")).isEqualTo(1);
        assertThat(cli.spindle("stat", "hda")).isEqualTo(1);
        assertThat(cli.errorLines()).hasSize(3).allMatch(line -> line.contains("no daemon"));
    }

    @Test
    void showsEveryFaultOfAConfFileInALineOfItsOwn() throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("bad.conf"),
                        CliFixture.DRIVES + "devices { a { drive = d, size = 1, colour = red } }");
        assertThat(cli.spindle("serve", conf.toString())).isEqualTo(1);
        assertThat(cli.errorLines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("spindle: "))
                .anyMatch(line -> line.contains("bad.conf:2: devices.a.colour: unknown key"))
                .anyMatch(line -> line.contains("bad.conf:2: devices.a.size: 1 is out of range"));
        assertThat(folder.resolve("r")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "serve conf/spindle.conf --no-tcp --port 0|--port and --no-tcp exclude each other",
                "serve conf/spindle.conf --no-unix --unix x|--unix and --no-unix exclude each other",
                "serve conf/spindle.conf --set size|\"size\" is not KEY=VALUE",
                "serve conf/spindle.conf --set a=1 --set a=2|a: given twice",
                "stat --watch 0|--watch 0.0: allowed 0.05 to 86400 seconds",
                "run --device hdb -- true|no device hdb: DIR/conf/spindle.conf has hda",
                "run --daemon 1 -- true|no daemon 1 is running",
                "run --set nr_requests=1 -- true|queue/nr_requests: 1 is out of range, allowed 4 to 65536"
            })
    void answersWhatCannotBeDoneWithOneLineAndStatus1(String arguments, String line) {
        String resolved = arguments.replace("conf/", folder + "/conf/");
        assertThat(cli.spindle(resolved.split(" ", -1))).isEqualTo(1);
        assertOneErrorLine(line.replace("DIR", folder.toString()));
    }

    @Test
    void saysWhichConfFileIsMissing() {
        String missing = folder.resolve("no.conf").toString();
        assertThat(cli.spindle("print-config", missing)).isEqualTo(1);
        assertOneErrorLine(missing + ": no such file");
    }

    @Test
    void saysThatAPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(cli.spindle("serve", folder + "/conf/spindle.conf", "--port", port))
                    .isEqualTo(1);
            assertOneErrorLine("cannot listen on 127.0.0.1:" + port + ": address already in use");
        }
    }

    @Test
    void printsTheSettingsWithTheirOrigins() {
        String conf = folder + "/conf/spindle.conf";
        assertThat(cli.spindle("print-config", conf, "--set", "devices.hda.size=2MiB")).isZero();
        assertThat(cli.out.toString())
                .containsPattern("devices\\.hda\\.size +2 MiB +--set")
                .containsPattern("devices\\.hda\\.queue\\.nr_requests +128 +default");
    }

    @Test
    void listsTunesAndShowsADeviceThatIsServed() throws IOException {
        try (Daemon _ = cli.serve(cli.conf("two.conf", "hda", "hdb"))) {
            assertThat(cli.spindle("list")).isZero();
            assertThat(cli.out.toString()).contains("  hdb  1 MiB  d, memory  /dev/hdb  nbd://");
            assertThat(cli.spindle("tune", "hdb", "nr_requests=64", "queue/hard_cap=off")).isZero();
            assertThat(cli.out.toString())
                    .contains(
                            "hdb: queue/nr_requests=64 queue/max_sectors_kb=128 queue/hard_cap=off");
            assertThat(cli.spindle("stat", "hdb")).isZero();
            assertThat(cli.out.toString()).contains("settings  queue/nr_requests=64");
            assertThat(cli.spindle("stat", "--json")).isZero();
            assertThat(cli.out.toString()).contains("\"queue/nr_requests\" : 64");
            assertThat(cli.err.toString()).isEmpty();
        }
    }

    @Test
    void namesWhatThereIsForADeviceThatIsNot() throws IOException {
        try (Daemon _ = cli.serve(folder.resolve("conf/spindle.conf"))) {
            long pid = ProcessHandle.current().pid();
            assertThat(cli.spindle("tune", "hdz", "nr_requests=64")).isEqualTo(1);
            assertOneErrorLine("no device hdz is served: pid " + pid + " serves hda");
            assertThat(cli.spindle("stat", "hda", "--daemon", "1")).isEqualTo(1);
            assertThat(cli.spindle("tune", "hda", "nr_request=64")).isEqualTo(1);
            assertThat(cli.errorLines().get(1))
                    .isEqualTo("spindle: no daemon 1 is running: pid " + pid + " serves hda");
            assertThat(cli.errorLines().get(2)).startsWith("spindle: nr_request: cannot be tuned");
        }
    }

    @Test
    void resetsTheStatisticsOfThePacketWriterThatIsNamed() throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("dvd.conf"),
                        """
                        server { tcp { port = 0 } }
                        drives { d { kind = optical, medium = "dvd+rw", speed = 16x
                          max_hw_sectors_kb = 128, read_access = 1ms, write_restart = 2ms
                          start_up = 3ms, bus_rate = 60 MB/s } }
                        devices { dvd { drive = d, size = 64 MiB }
                          bare { drive = d, size = 64 MiB, packet { enabled = off } } }
                        """);
        try (Daemon _ = cli.serve(conf)) {
            assertThat(cli.spindle("stat", "dvd", "--reset", "--json")).isZero();
            assertThat(cli.out.toString()).contains("\"stat/kb_written\" : 0");
            assertThat(cli.spindle("stat", "--reset")).isEqualTo(1);
            assertThat(cli.spindle("stat", "bare", "--reset")).isEqualTo(1);
            assertThat(cli.spindle("stat", "hdz", "--reset")).isEqualTo(1);
            assertThat(cli.errorLines().get(0)).isEqualTo("spindle: --reset: which DEVICE?");
            assertThat(cli.errorLines().get(1))
                    .isEqualTo("spindle: stat/reset: bare has no packet writer");
            assertThat(cli.errorLines().get(2)).contains("no device hdz is served");
        }
    }

    @Test
    void watchesUntilASignalComes() throws IOException, InterruptedException {
        try (Daemon _ = cli.serve(folder.resolve("conf/spindle.conf"))) {
            Thread watcher =
                    Thread.ofPlatform()
                            .start(() -> cli.spindle("stat", "--watch", "0.05", "--json"));
            while (cli.out.toString().lines().count() < 3) {
                Thread.onSpinWait();
            }
            cli.signals.raise(2);
            watcher.join();
            assertThat(cli.out.toString().lines())
                    .allMatch(line -> line.startsWith("{\"daemons\""));
        }
    }
}
