package dev.spindle.config;

import com.typesafe.config.ConfigOrigin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One pass over a conf file: the faults and the settings found so far. */
final class Reading {
    static final String OVERRIDE = "--set";
    private static final int MAX_PROBLEMS = 200;

    private final Path file;
    private final Set<String> problems = new LinkedHashSet<>();
    private int faults;
    private final List<Setting> settings = new ArrayList<>();

    Reading(Path file) {
        this.file = file;
    }

    /** The same fault met twice, a profile's through two devices, is one. */
    void problem(String location, String key, String text) {
        faults++;
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(location + ": " + key + ": " + text);
        }
    }

    /** How many so far, counting again what was met again. */
    int faults() {
        return faults;
    }

    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new ConfigException(List.copyOf(problems));
        }
    }

    void record(String key, String value, String origin) {
        settings.add(new Setting(key, value, origin));
    }

    int mark() {
        return settings.size();
    }

    /** Makes one setting of a list's element out of those of its keys. */
    void foldSince(int mark, String element, String origin) {
        List<Setting> keys = settings.subList(mark, settings.size());
        String value =
                keys.stream()
                        .map(key -> lastName(key.key()) + " = " + key.value())
                        .collect(Collectors.joining(", ", "{ ", " }"));
        keys.clear();
        record(element, value, origin);
    }

    List<Setting> settings() {
        return settings;
    }

    /**
     * {@code file:line} where the origin is a file; objects put together from several have none.
     */
    String location(ConfigOrigin origin) {
        if (origin.filename() != null) {
            int line = origin.lineNumber();
            return line > 0 ? origin.filename() + ":" + line : origin.filename();
        }
        String description = origin.description();
        boolean isKnown = description.equals(OVERRIDE) || description.startsWith("env var ");
        return isKnown ? description : file.toString();
    }

    private static String lastName(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }
}
