package dev.spindle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServeCommandTest {
    @TempDir private Path folder;

    @Test
    void printsALineForEachDeviceThenReadyAndEndsWith0OnASignal() throws IOException {
        CliFixture cli = new CliFixture(folder);
        String conf = cli.conf("two.conf", "hda", "hdb").toString();
        CompletableFuture<Integer> status =
                CompletableFuture.supplyAsync(() -> cli.spindle("serve", conf));
        while (!cli.out.toString().endsWith("ready\n") && !status.isDone()) {
            Thread.onSpinWait();
        }
        cli.signals.raise(15);
        assertThat(status.join()).isZero();
        assertThat(cli.err.toString()).isEmpty();
        assertThat(cli.out.toString().lines()).hasSize(3);
        assertThat(cli.out.toString().lines().findFirst())
                .hasValueSatisfying(line ->
                        assertThat(line)
                                .matches(
                                        "hda  1 MiB  d, memory  nbd://127\\.0\\.0\\.1:\\d+/hda "
                                                + " nbd\\+unix:///hda\\?socket=\\S+nbd\\.sock "
                                                + " attach: nbd-client 127\\.0\\.0\\.1 \\d+"
                                                + " /dev/nbd0 -N hda -b 512"));
        assertThat(folder.resolve("r")).isEmptyDirectory();
    }

    /** What an option of its own has set is called by its name, not by that of --set. */
    @Test
    void namesTheOptionThatIsWrong() throws IOException {
        CliFixture cli = new CliFixture(folder);
        String conf = cli.conf("one.conf", "hda").toString();
        assertThat(cli.spindle("serve", conf, "--port", "99999")).isEqualTo(1);
        assertThat(cli.err.toString())
                .isEqualTo("spindle: --port: 99999 is out of range, allowed 0 to 65535\n");
        assertThat(cli.spindle("serve", conf, "--unix", "/" + "x".repeat(200))).isEqualTo(1);
        assertThat(cli.err.toString()).contains("spindle: --unix: ");
        assertThat(cli.spindle("serve", conf, "--set", "server.tcp.port=99999")).isEqualTo(1);
        assertThat(cli.err.toString()).contains("spindle: --set: server.tcp.port: 99999 is");
    }
}
