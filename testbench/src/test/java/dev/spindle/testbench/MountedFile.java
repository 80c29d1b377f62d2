package dev.spindle.testbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An NBD export that nbdfuse shows as a file, until it is closed. */
final class MountedFile implements AutoCloseable {
    private static final int START_POLLS = 500;
    private static final int POLL_MS = 20;
    private static final int END_SECONDS = 30;

    private final Path path;
    private final Process process;
    private final Path output;
    private final Path errors;

    private MountedFile(Path path, Process process, Path output, Path errors) {
        this.path = path;
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /** {@code server} is a URI, or a command in brackets that nbdfuse is to start. */
    static MountedFile of(Path folder, String... server) throws IOException {
        Path output = Files.createTempFile("spindle-test", ".out");
        Path errors = Files.createTempFile("spindle-test", ".err");
        Process process =
                Command.of("nbdfuse", folder.toString()).and(server).start(output, errors);
        MountedFile mounted = new MountedFile(folder.resolve("nbd"), process, output, errors);
        try {
            mounted.awaitStart();
        } catch (AssertionError e) {
            mounted.close();
            throw e;
        }
        return mounted;
    }

    Path path() {
        return path;
    }

    private void awaitStart() throws IOException {
        boolean isAlive = true;
        for (int i = 0; i < START_POLLS && isAlive; i++) {
            if (Files.exists(path)) {
                return;
            }
            try {
                isAlive = !process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new AssertionError("nbdfuse mounted nothing: " + Files.readString(errors));
    }

    /** SIGTERM, on which nbdfuse unmounts. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("nbdfuse did not end: " + Files.readString(errors));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }
}
