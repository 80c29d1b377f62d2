package dev.spindle.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a shell would find under a program's name. */
sealed interface ProgramPath {
    record Executable(Path file) implements ProgramPath {}

    record NotExecutable(Path file, String why) implements ProgramPath {}

    record Missing(String name) implements ProgramPath {}

    /** By its path where the name has a slash, else in the folders of PATH, in order. */
    static ProgramPath of(String name, String searchPath) {
        List<Path> candidates = new ArrayList<>();
        if (name.contains("/")) {
            candidates.add(Path.of(name));
        } else {
            for (String folder : searchPath.split(":", -1)) {
                candidates.add(Path.of(folder, name));
            }
        }
        ProgramPath best = new Missing(name);
        for (Path candidate : candidates) {
            ProgramPath found = look(name, candidate);
            if (found instanceof Executable) {
                return found;
            }
            if (best instanceof Missing) {
                best = found;
            }
        }
        return best;
    }

    private static ProgramPath look(String name, Path file) {
        if (!Files.exists(file)) {
            return new Missing(name);
        }
        if (Files.isDirectory(file)) {
            return new NotExecutable(file, "is a folder");
        }
        return Files.isExecutable(file)
                ? new Executable(file)
                : new NotExecutable(file, "permission denied");
    }
}
