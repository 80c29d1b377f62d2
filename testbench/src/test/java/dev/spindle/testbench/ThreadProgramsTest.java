package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of threads 001 and 004: the same under the shim as on files, data compared. */
class ThreadProgramsTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("threads.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                server { tcp { enabled = off } }
                devices {
                    disk { drive = laptop-ide-2006, size = 64 MiB }
                    n0 { drive = null, size = 64 MiB }
                    n1 { drive = null, size = 64 MiB }
                    n2 { drive = null, size = 64 MiB }
                }
                """
                        .formatted(Tools.home()));
        daemon = Daemon.serve(conf, folder);
        for (String name : List.of("f0", "f1", "f2")) {
            try (RandomAccessFile file =
                    new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
                file.setLength(64 << 20);
            }
        }
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static String built(String name) {
        return Tools.home().resolve("testbench/build").resolve(name).toString();
    }

    private static Command under(String... program) {
        return daemon.spindle("run", "--").and(program).in(folder);
    }

    @ParameterizedTest
    @CsvSource({"sync,1", "aio,1", "aio,32", "poll,1", "poll,32"})
    void theSequentialReaderReadsWhatIsThere(String mode, String depth) {
        String[] words = {
            built("seqread"), "--fill", "--check", "--json", "-t", "4m", "-m", mode, "-d", depth
        };
        for (String device : new String[] {"/dev/disk", "/dev/n0"}) {
            assertThat(under(words).and(device).succeed().output())
                    .contains("\"bytes\": 4194304, \"requests\": 128,", "\"user_s\"");
        }
        Command.of(words).and("f0").in(folder).succeed();
    }

    @ParameterizedTest
    @CsvSource({"sync,1", "aio,1", "aio,4"})
    void manyDisksAreWrittenAndRead(String mode, String depth) {
        String[] words = {
            built("manydisks"), "--check", "-m", mode, "-d", depth, "-n", "16", "-s", "256k"
        };
        for (String way : new String[] {"--write", "--fill"}) {
            under(words).and(way, "/dev/n0", "/dev/n1", "/dev/n2").succeed();
            Command.of(words).and(way, "f0", "f1", "f2").in(folder).succeed();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seqread", "manydisks"})
    void otherDataIsNoticed(String program) throws IOException {
        String size = program.equals("seqread") ? "-t" : "-n";
        String amount = program.equals("seqread") ? "1m" : "4";
        Command.of(built(program), "--fill", size, amount, "f0").in(folder).succeed();
        Command.of(built(program), "--check", size, amount, "f0").in(folder).succeed();
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("f0").toFile(), "rw")) {
            file.seek(700_000);
            file.write(file.read() ^ 1);
        }
        Command.Outcome outcome =
                Command.of(built(program), "--check", size, amount, "f0").in(folder).run();
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errors()).contains("f0 has other data at 699904");
    }

    @Test
    void theExperimentRunsLive() {
        Command.Outcome outcome =
                Daemon.inRuntimeFolder(
                                Command.of(Tools.launcher(), "experiment", "001", "--live"), folder)
                        .within(Duration.ofSeconds(150))
                        .run();
        assertThat(outcome.output())
                .contains("live: ", "aio 32, fixed, waits, real (s)", "12 more are open");
        System.out.print(outcome.output());
    }
}
