package dev.spindle.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One daemon's folder of shared files, in {@code spindle-UID} on tmpfs: entered by this user alone,
 * removed when the daemon ends, and by the next one if it was killed.
 *
 * <pre>
 *   /dev/shm/spindle-UID/PID[.N]/lock          as in a runtime folder
 *                                DEVICE.pool   the credits of each device
 *                                DEVICE.N      one process on it, until it has mapped it
 * </pre>
 */
final class SharedFolder implements AutoCloseable {
    /** One process may hold several daemons, in tests. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private static final int TRIES = 3;

    private final Path root;
    private final RuntimeFolder folder;

    private SharedFolder(Path root, RuntimeFolder folder) {
        this.root = root;
        this.folder = folder;
    }

    static SharedFolder create(Path place, long pid) throws IOException {
        if (!Files.isDirectory(place) || !Files.isWritable(place)) {
            throw new IOException(place + " is no folder that can be written to");
        }
        Path root = place.resolve("spindle-" + RuntimeRoot.ownUid());
        int number = MADE.getAndIncrement();
        String name = number == 0 ? Long.toString(pid) : pid + "." + number;
        RuntimeFolder folder = createBelow(root, name);
        removeStale(root);
        return new SharedFolder(root, folder);
    }

    /** Another daemon that ends just now may remove the root under our feet. */
    private static RuntimeFolder createBelow(Path root, String name) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return RuntimeFolder.create(new RuntimeRoot(root), name, false);
            } catch (NoSuchFileException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void removeStale(Path root) throws IOException {
        List<Path> folders;
        try (Stream<Path> entries = Files.list(root)) {
            folders =
                    entries.filter(entry -> !entry.getFileName().toString().startsWith("."))
                            .toList();
        }
        for (Path each : folders) {
            RuntimeFolder.removeIfStale(each);
        }
    }

    Path path() {
        return folder.path();
    }

    @Override
    public void close() throws IOException {
        folder.close();
        try (Stream<Path> entries = Files.list(root)) {
            if (entries.findAny().isPresent()) {
                return;
            }
        }
        Files.deleteIfExists(root);
    }
}
