package dev.spindle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.control.Json;
import dev.spindle.daemon.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code spindle replay} and {@code spindle trace} as people call them. */
@Timeout(60)
class ReplayCommandTest {
    @TempDir private Path folder;
    private CliFixture cli;

    @BeforeEach
    void install() throws IOException {
        cli = new CliFixture(folder);
    }

    private String log() throws IOException {
        return Files.writeString(
                        folder.resolve("log"),
                        """
                        fio version 2 iolog
                        d add
                        d open
                        d write 0 8192
                        d wait 1000 0
                        d read 4096 4096
                        d close
                        """)
                .toString();
    }

    @Test
    void replaysOnTheOnlyDeviceOfAConf() throws Exception {
        assertThat(cli.spindle("replay", log(), "--json")).as(cli.err.toString()).isZero();
        Map<String, Object> fields = Json.parse(cli.out.toString());
        assertThat(fields)
                .containsEntry("requests", 2)
                .containsEntry("errors", 0)
                .containsEntry("bytes", 12288)
                .containsEntry("device", "hda (d)");
        assertThat(fields).containsKeys("latency_us", "stages_us", "duration_s");
    }

    @Test
    void writesATraceThatReplaysAgain() throws Exception {
        String name = folder.resolve("out").toString();
        assertThat(cli.spindle("replay", log(), "--blktrace", name)).isZero();
        assertThat(cli.spindle("replay", name, "--speed", "dependent")).isZero();
        assertThat(cli.out.toString()).contains("Q2C, recorded").contains("2 requests, 0 errors");
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        String two = cli.conf("two.conf", "hda", "hdb").toString();
        assertThat(cli.spindle("replay", log(), "--conf", two)).isEqualTo(1);
        assertThat(cli.spindle("replay", log(), "--conf", two, "--device", "hdc")).isEqualTo(1);
        assertThat(cli.spindle("replay", log(), "--wrap", "--scale")).isEqualTo(1);
        assertThat(cli.spindle("replay", log(), "--depth", "0", "--speed", "as-fast")).isEqualTo(1);
        assertThat(cli.spindle("replay", log(), "--trace-device", "sda")).isEqualTo(1);
        assertThat(cli.errorLines())
                .containsExactly(
                        "spindle: "
                                + two
                                + " has several devices, say which with --device: hda, hdb",
                        "spindle: " + two + " has no device hdc, there is hda, hdb",
                        "spindle: --wrap and --scale exclude each other",
                        "spindle: depth 0: allowed 1 to 65536",
                        "spindle: \"sda\" is no device, write its numbers, such as 8,0");
    }

    @Test
    void tracesADeviceThatIsServedUntilASignal() throws Exception {
        Path name = folder.resolve("live");
        try (Daemon _ = cli.serve(folder.resolve("conf/spindle.conf"))) {
            CompletableFuture<Integer> status =
                    CompletableFuture.supplyAsync(
                            () -> cli.spindle("trace", "hda", "-o", name.toString()));
            while (!cli.err.toString().contains("tracing to") && !status.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(cli.spindle("trace", "hda", "-o", name.toString())).isEqualTo(1);
            assertThat(cli.spindle("stat", "hda", "--json")).isZero();
            cli.signals.handlers.forEach(handler -> handler.accept(2));
            assertThat(status.join()).isZero();
            assertThat(cli.spindle("trace", "hda", "--stop")).isEqualTo(1);
            assertThat(cli.spindle("trace", "hda")).isEqualTo(1);
        }
        assertThat(cli.errorLines())
                .containsExactly(
                        "hda: tracing to " + name + ".blktrace.0",
                        "spindle: device hda is being traced already, to " + name + ".blktrace.0",
                        "spindle: device hda is not being traced",
                        "spindle: trace: say either where to, with -o NAME, or --stop");
        assertThat(cli.out.toString())
                .contains("\"trace\" : {")
                .contains("hda: 1 records, 0 dropped, " + name + ".blktrace.0");
    }

    @Test
    void aConfFileTracesFromTheBeginningOn() throws IOException {
        Path conf =
                Files.writeString(
                        folder.resolve("t.conf"),
                        "server { tcp { port = 0 } }\n"
                                + CliFixture.DRIVES
                                + "devices { hda { drive = d, size = 1 MiB, trace = first } }\n");
        cli.serve(conf).close();
        // the daemon's own last FLUSH, after the time of day and a name
        assertThat(Files.size(folder.resolve("first.blktrace.0")))
                .isEqualTo(48 + 8 + 48 + 16 + 5 * 48);
    }
}
