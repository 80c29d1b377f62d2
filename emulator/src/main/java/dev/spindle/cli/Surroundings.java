package dev.spindle.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a command knows of the world it was called in.
 *
 * @param home where Spindle is installed; empty when not started by its launcher
 * @param signals ours to catch
 */
record Surroundings(
        PrintWriter out,
        PrintWriter err,
        Map<String, String> environment,
        Optional<Path> home,
        Signals signals) {
    Surroundings {
        environment = Map.copyOf(environment);
    }

    static Surroundings ofProcess() {
        Map<String, String> environment = System.getenv();
        Optional<String> home =
                Optional.ofNullable(System.getProperty("spindle.home"))
                        .or(() -> Optional.ofNullable(environment.get("SPINDLE_HOME")));
        return new Surroundings(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                environment,
                home.map(Path::of),
                Signals.ofProcess());
    }

    Path requireHome(String what) {
        return home.orElseThrow(
                () -> new Failure("no SPINDLE_HOME, so " + what + " cannot be found"));
    }
}
