package dev.spindle.cli;

import java.util.List;

/** A command cannot do what it was asked for; its lines are for the user. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final List<String> lines;

    Failure(List<String> lines) {
        super(String.join("\n", lines));
        this.lines = List.copyOf(lines);
    }

    Failure(String line) {
        this(List.of(line));
    }

    List<String> lines() {
        return lines;
    }
}
