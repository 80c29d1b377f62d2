package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A signal to {@code spindle run} is a signal to its program, as with env, nice or timeout. */
@Timeout(60)
class RunSignalsTest {
    @TempDir private Path folder;
    private final List<Process> started = new ArrayList<>();
    private Path noted;

    @BeforeEach
    void name() {
        noted = folder.resolve("noted");
    }

    @AfterEach
    void endWhatIsLeft() {
        for (Process each : started) {
            each.descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroyForcibly();
        }
    }

    /** Returns when the shell script has written its pid to the file "noted". */
    private Process run(String mode, String script) throws IOException {
        Path conf = folder.resolve("fast.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/laptop-ide-2006.conf"
                devices { hda { drive = laptop-ide-2006, size = 128 MiB } }
                """
                        .formatted(Tools.home()));
        String full =
                script.replace(
                        "READY", "echo $$ > " + noted + ".new; mv " + noted + ".new " + noted);
        Command command = Command.of(Tools.launcher(), "run", "--conf", conf.toString());
        command = mode.isEmpty() ? command : command.and(mode);
        Process process =
                Daemon.inRuntimeFolder(command.and("--", "sh", "-c", full), folder)
                        .in(folder)
                        .start(folder.resolve("output"), folder.resolve("errors"));
        started.add(process);
        until("the program runs", () -> Files.exists(noted) || !process.isAlive());
        assertThat(process.isAlive()).as(said()).isTrue();
        return process;
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("output"))
                    + Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bounded by the test's time limit. */
    private static void until(String what, BooleanSupplier isSo) {
        while (!isSo.getAsBoolean()) {
            Thread.onSpinWait();
            if (Thread.interrupted()) {
                throw new AssertionError("waiting until " + what);
            }
        }
    }

    private static void kill(String signal, long pid) {
        Command.of("kill", "-" + signal, Long.toString(pid)).succeed();
    }

    private int statusOf(Process process) throws InterruptedException, IOException {
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(said()).isTrue();
        return process.exitValue();
    }

    private long program() throws IOException {
        return Long.parseLong(Files.readString(noted).strip());
    }

    private static boolean isStopped(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.anyMatch(line -> line.startsWith("State:\tT"));
        } catch (IOException e) {
            throw new AssertionError("process " + pid, e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "TERM", "CONT", "WINCH"})
    void reachesTheProgram(String signal) throws Exception {
        Process run =
                run(
                        "",
                        "trap 'echo caught; exit 7' "
                                + signal
                                + "; READY; while :; do sleep 0.01; done");
        kill(signal, run.pid());
        assertThat(statusOf(run)).isEqualTo(7);
        assertThat(said()).isEqualTo("caught\n");
    }

    @ParameterizedTest
    @CsvSource({"QUIT,131", "USR1,138", "TERM,143", "HUP,129", "INT,130"})
    void endsWith128AndTheSignalThatEndedTheProgram(String signal, int status) throws Exception {
        Process run = run("", "ulimit -c 0; READY; exec sleep 50");
        kill(signal, run.pid());
        assertThat(statusOf(run)).isEqualTo(status);
    }

    @Test
    void reachesAProgramOfWhichEachSystemCallIsServed() throws Exception {
        Process run = run("--static", "trap 'exit 7' QUIT; READY; while :; do sleep 0.01; done");
        kill("QUIT", run.pid());
        assertThat(statusOf(run)).isEqualTo(7);
    }

    /** By SIGSTOP, as an editor does when it has put the terminal in order. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--static"})
    void stopsWhenTheProgramHasStoppedAndContinuesIt(String mode) throws Exception {
        Process run =
                run(
                        mode,
                        "trap 'kill -STOP $$' TSTP; trap 'exit 7' USR1; READY;"
                                + " while :; do sleep 0.01; done");
        kill("TSTP", run.pid());
        until("both have stopped", () -> isStopped(run.pid()));
        assertThat(isStopped(program())).isTrue();
        kill("CONT", run.pid());
        until("both go on", () -> !isStopped(run.pid()));
        kill("USR1", run.pid());
        assertThat(statusOf(run)).isEqualTo(7);
    }

    @Test
    void goesOnWithAProgramThatDoesNotStop() throws Exception {
        Process run =
                run(
                        "",
                        "trap '' TSTP; trap 'exit 7' USR1; READY;"
                                + " while :; do dd if=/dev/hda of=/dev/null count=1 2>&-; done");
        kill("TSTP", run.pid());
        kill("USR1", run.pid());
        assertThat(statusOf(run)).isEqualTo(7);
    }

    /** Nobody can pass SIGKILL on; the program's drive is gone, and it hears so. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--static", "--transport=nbd"})
    void killedLeavesNeitherAProgramThatHangsNorItsFolder(String mode) throws Exception {
        String testaio =
                Tools.home().resolve("testbench/build/testaio")
                        + (mode.equals("--static") ? "-static" : "");
        Path ended = folder.resolve("ended");
        Process run = run(mode, "READY; " + testaio + " /dev/hda; echo $? > e; mv e " + ended);
        until("it reads", () -> said().contains("Enqueues starting"));
        run.destroyForcibly().waitFor();
        until("the program has ended", () -> Files.exists(ended));
        assertThat(Files.readString(ended)).isNotEqualTo("0\n");
        assertThat(said()).contains("Input/output error");
        Daemon.inRuntimeFolder(Command.of(Tools.launcher(), "list"), folder).run();
        assertThat(folder.resolve("run")).isEmptyDirectory();
    }
}
