package dev.spindle.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one {@code spindle run} keeps in the folder of its daemon: {@code run-PID.map}, {@code .so}
 * and {@code .report}. A run that was killed leaves them to the next.
 */
final class RunFiles implements AutoCloseable {
    private static final String PREFIX = "run-";

    private final Path folder;
    private final long pid;

    private RunFiles(Path folder, long pid) {
        this.folder = folder;
        this.pid = pid;
    }

    static RunFiles in(Path folder) throws IOException {
        RunFiles files = new RunFiles(folder, ProcessHandle.current().pid());
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path each : all) {
                if (isOfDead(each)) {
                    Files.deleteIfExists(each);
                }
            }
        }
        return files;
    }

    private static boolean isOfDead(Path file) {
        String name = file.getFileName().toString();
        String number = name.substring(PREFIX.length()).replaceFirst("\\..*", "");
        return number.matches("[0-9]{1,9}") && ProcessHandle.of(Long.parseLong(number)).isEmpty();
    }

    Path map() {
        return own(".map");
    }

    Path shim() {
        return own(".so");
    }

    Path report() {
        return own(".report");
    }

    private Path own(String kind) {
        return folder.resolve(PREFIX + pid + kind);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(map());
        Files.deleteIfExists(shim());
        Files.deleteIfExists(report());
    }
}
