package dev.spindle.config;

import java.util.List;

/**
 * The settings cannot be used. Carries every fault found, one line each: place, key, what is
 * allowed.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    public ConfigException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public ConfigException(String problem) {
        this(List.of(problem));
    }

    public List<String> problems() {
        return problems;
    }
}
