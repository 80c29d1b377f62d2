package dev.spindle.testbench.experiment;

import dev.spindle.control.BadRequestException;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real program under {@code spindle run}, with a daemon of its own that plays the drives in this
 * machine's time; what it prints as JSON is what it measured.
 *
 * @param home where Spindle is installed
 * @param conf the daemon's
 */
record LiveRun(Path home, Path conf) {
    private static final long LIMIT_S = 120;

    /** The text of a file that lies in this folder, for as long as it takes. */
    static LiveRun of(Path home, Path folder, String conf) {
        try {
            return new LiveRun(home, Files.writeString(folder.resolve("live.conf"), conf));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs it to its end.
     *
     * @param options of {@code spindle run}, beside --conf
     * @param program one of testbench/build, then its arguments
     */
    ControlAnswer run(List<String> options, String... program) {
        List<String> words = new ArrayList<>();
        words.addAll(List.of(home.resolve("spindle").toString(), "run", "--conf", conf.toString()));
        words.addAll(options);
        words.add("--");
        words.add(built(program[0]));
        words.addAll(List.of(program).subList(1, program.length));
        try {
            return new ControlAnswer(Json.parse(output(words)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (BadRequestException e) {
            throw new IllegalStateException(String.join(" ", words) + " printed no JSON", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String built(String name) {
        Path file = home.resolve("testbench/build").resolve(name);
        if (!Files.isExecutable(file)) {
            throw new IllegalArgumentException(file + " is not built: run 'make build'");
        }
        return file.toString();
    }

    private static String output(List<String> words) throws IOException, InterruptedException {
        Path output = Files.createTempFile("spindle-live", ".out");
        Path errors = Files.createTempFile("spindle-live", ".err");
        try {
            Process process =
                    new ProcessBuilder(words)
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile())
                            .start();
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(
                        String.join(" ", words) + ": not at its end after " + LIMIT_S + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        String.join(" ", words)
                                + ": exit status "
                                + process.exitValue()
                                + "\n"
                                + Files.readString(errors));
            }
            return Files.readString(output);
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }
}
