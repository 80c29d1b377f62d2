package dev.spindle.testbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code spindle serve} as a process of its own, in a runtime folder of its own. */
final class Daemon implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final Path folder;
    private final Path output;
    private final Path errors;
    private final Process process;

    private Daemon(Path folder, Path output, Path errors, Process process) {
        this.folder = folder;
        this.output = output;
        this.errors = errors;
        this.process = process;
    }

    /**
     * Serves that conf on a unix socket in the folder and on any free TCP port, and returns when it
     * is ready.
     */
    static Daemon serve(Path conf, Path folder, String... options) {
        try {
            Path output = Files.createTempFile(folder, "serve", ".out");
            Path errors = Files.createTempFile(folder, "serve", ".err");
            List<String> words =
                    new ArrayList<>(List.of(Tools.launcher(), "serve", conf.toString()));
            words.addAll(List.of("--unix", socketIn(folder).toString(), "--port", "0"));
            words.addAll(List.of(options));
            Process process =
                    inRuntimeFolder(Command.of(words.toArray(String[]::new)), folder)
                            .start(output, errors);
            Daemon daemon = new Daemon(folder, output, errors, process);
            daemon.awaitReady();
            return daemon;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Command inRuntimeFolder(Command command, Path folder) {
        return command.with("SPINDLE_RUNTIME_DIR", folder.resolve("run").toString());
    }

    private static Path socketIn(Path folder) {
        return folder.resolve("nbd.sock");
    }

    /** A spindle command that finds this daemon. */
    Command spindle(String... words) {
        return inRuntimeFolder(Command.of(Tools.launcher()).and(words), folder);
    }

    String uri(String export) {
        return "nbd+unix:///" + export + "?socket=" + socketIn(folder);
    }

    int tcpPort() {
        String said = said();
        int at = said.indexOf("://127.0.0.1:"); // nbd or nbds
        if (at < 0) {
            throw new AssertionError("no TCP address in: " + said);
        }
        String rest = said.substring(at + "://127.0.0.1:".length());
        return Integer.parseInt(rest.substring(0, rest.indexOf('/')));
    }

    String said() {
        try {
            return Files.readString(output) + Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Memory of the process that is in RAM. */
    long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    /** The same when garbage, of which the heap may be full at any moment, has been collected. */
    long residentKibWithoutGarbage() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Command.of(jcmd.toString(), String.valueOf(pid()), "GC.run").succeed();
        return residentKib();
    }

    /** How many files and sockets it has open. */
    long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
            return open.count();
        }
    }

    /** SIGTERM; its exit status. */
    int stop() {
        process.destroy();
        return waitForEnd();
    }

    /** SIGKILL: no chance to save anything. */
    void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private int waitForEnd() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("the daemon did not end: " + said());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitReady() throws IOException {
        long polls = START_LIMIT.toMillis() / 20;
        for (long i = 0; i < polls; i++) {
            if (Files.readString(output).lines().anyMatch(line -> line.startsWith("ready"))) {
                return;
            }
            try {
                if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        process.destroyForcibly();
        throw new AssertionError("the daemon did not get ready: " + said());
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }
}
