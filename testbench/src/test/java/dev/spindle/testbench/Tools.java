package dev.spindle.testbench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The programs of others that the tests run, and where Spindle's own lie. */
final class Tools {
    private Tools() {}

    /** The checkout's top folder. */
    static Path home() {
        Path home = Path.of("").toAbsolutePath();
        while (!Files.exists(home.resolve("spindle"))) {
            Path parent = home.getParent();
            if (parent == null) {
                throw new AssertionError(
                        "no folder above " + Path.of("").toAbsolutePath() + " has the launcher");
            }
            home = parent;
        }
        return home;
    }

    static String launcher() {
        return home().resolve("spindle").toString();
    }

    static String testaio() {
        return home().resolve("testbench/build/testaio").toString();
    }

    /** Skips the test by name where the program is missing; where CI is set that is a failure. */
    static void require(String... programs) {
        for (String program : programs) {
            if (isOnPath(program)) {
                continue;
            }
            String missing = program + " is not installed";
            if (System.getenv("CI") != null) {
                throw new AssertionError(missing + ", and CI skips nothing");
            }
            Assumptions.abort("skipped: " + missing);
        }
    }

    private static boolean isOnPath(String program) {
        String path =
                System.getenv().getOrDefault("PATH", "")
                        + File.pathSeparator
                        + "/usr/sbin"
                        + File.pathSeparator
                        + "/sbin";
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    /** Its full path, for what lies in sbin. */
    static String pathOf(String program) {
        for (String folder : new String[] {"/usr/sbin", "/sbin"}) {
            Path candidate = Path.of(folder, program);
            if (Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        return program;
    }
}
