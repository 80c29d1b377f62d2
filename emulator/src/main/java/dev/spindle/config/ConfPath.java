package dev.spindle.config;

import com.typesafe.config.ConfigValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** A path as a conf file means it. */
final class ConfPath {
    private ConfPath() {}

    /**
     * From the folder of the conf file that names it; from the current one on a command line.
     *
     * @throws InvalidPathException if it is none on this system
     */
    static Path resolve(String text, ConfigValue source) {
        String file = source.origin().filename();
        Path path = file == null ? Path.of(text) : Path.of(file).resolveSibling(text);
        return path.toAbsolutePath().normalize();
    }

    /** Reads a key that may be left out. */
    static Optional<Path> read(Section section, Key<String> key) {
        Optional<Section.Found<String>> written = section.look(key);
        if (written.isEmpty()) {
            return Optional.empty();
        }
        Section.Found<String> found = written.get();
        try {
            Path path = resolve(found.value(), found.source());
            section.record(key, path.toString(), found.source());
            return Optional.of(path);
        } catch (InvalidPathException notAPath) {
            section.problem(key.name(), "is not a path on this system");
            return Optional.empty();
        }
    }
}
