package dev.spindle.cli;

import dev.spindle.daemon.LiveDaemon;
import dev.spindle.daemon.SysFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one {@code spindle run} keeps in the folder of its daemon: {@code run-PID.map}, {@code .so},
 * {@code .report} and the tree {@code .sys}. A run that was killed leaves them to the next.
 */
final class RunFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunFiles.class);
    private static final String PREFIX = "run-";

    private final LiveDaemon daemon;
    private final String name;

    private RunFiles(LiveDaemon daemon, String name) {
        this.daemon = daemon;
        this.name = name;
    }

    static RunFiles of(LiveDaemon daemon) throws IOException {
        List<String> dead;
        try (Stream<Path> all = Files.list(daemon.folder())) {
            dead =
                    all.map(each -> each.getFileName().toString())
                            .filter(each -> each.startsWith(PREFIX))
                            .map(each -> each.replaceFirst("\\..*", ""))
                            .filter(RunFiles::isOfDead)
                            .distinct()
                            .toList();
        }
        for (String each : dead) {
            new RunFiles(daemon, each).sweep();
        }
        RunFiles files = new RunFiles(daemon, PREFIX + ProcessHandle.current().pid());
        files.sweep(); // of one that was killed and had the same pid
        return files;
    }

    /** Another run may be doing the same; what is left then is the next one's. */
    private void sweep() {
        try {
            close();
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} is not swept", name, e);
        }
    }

    private static boolean isOfDead(String name) {
        String number = name.substring(PREFIX.length());
        return number.matches("[0-9]{1,9}") && ProcessHandle.of(Long.parseLong(number)).isEmpty();
    }

    /** What all of them begin with. */
    String name() {
        return name;
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
        return daemon.folder().resolve(name + kind);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(map());
        Files.deleteIfExists(shim());
        Files.deleteIfExists(report());
        SysFolder.remove(daemon, name);
    }
}
