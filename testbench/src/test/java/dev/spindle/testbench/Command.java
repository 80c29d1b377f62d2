package dev.spindle.testbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program to run to its end, within a bound of time. */
final class Command {
    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);

    private final List<String> words;
    private final Map<String, String> environment = new HashMap<>();
    private @Nullable Path folder;
    private Duration limit = DEFAULT_LIMIT;

    private Command(List<String> words) {
        this.words = words;
    }

    static Command of(String... words) {
        return new Command(new ArrayList<>(List.of(words)));
    }

    Command and(String... more) {
        words.addAll(List.of(more));
        return this;
    }

    Command in(Path workingFolder) {
        folder = workingFolder;
        return this;
    }

    Command with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Command within(Duration newLimit) {
        limit = newLimit;
        return this;
    }

    /** Starts it, its output going to two files; the caller waits for it. */
    Process start(Path output, Path errors) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile());
        builder.redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment);
        if (folder != null) {
            builder.directory(folder.toFile());
        }
        return builder.start();
    }

    Outcome run() {
        try {
            Path output = Files.createTempFile("spindle-test", ".out");
            Path errors = Files.createTempFile("spindle-test", ".err");
            try {
                return waitFor(start(output, errors), output, errors);
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs it and fails the test, with all that it said, unless it ends with 0. */
    Outcome succeed() {
        Outcome outcome = run();
        if (outcome.status() != 0) {
            throw new AssertionError(outcome.toString());
        }
        return outcome;
    }

    private Outcome waitFor(Process process, Path output, Path errors) throws IOException {
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                String state =
                        "output: "
                                + Files.readString(output)
                                + "\nerrors: "
                                + Files.readString(errors);
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                throw new AssertionError(words + " did not end within " + limit + "\n" + state);
            }
            return new Outcome(
                    words, process.exitValue(), Files.readString(output), Files.readString(errors));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }

    /** How it ended and what it said. */
    record Outcome(List<String> words, int status, String output, String errors) {
        @Override
        public String toString() {
            return String.join(" ", words)
                    + "\nexit status "
                    + status
                    + "\noutput: "
                    + output
                    + "\nerrors: "
                    + errors;
        }
    }
}
