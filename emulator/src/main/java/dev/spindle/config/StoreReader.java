package dev.spindle.config;

import dev.spindle.config.Section.Found;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads {@code store}, and looks whether its image can be there. */
final class StoreReader {
    private StoreReader() {}

    static Optional<StoreConfig> read(Section store) {
        int before = store.faults();
        StoreKind kind = store.read(Keys.STORE_TYPE);
        if (store.faults() > before) {
            return Optional.empty();
        }
        return switch (kind) {
            case MEMORY -> memory(store, before);
            case FILE -> file(store, before);
        };
    }

    private static Optional<StoreConfig> memory(Section store, int before) {
        store.refuse("belongs to type = file", "path", "create");
        boolean hugePages = store.read(Keys.STORE_HUGE_PAGES);
        return store.ifSound(before, () -> new MemoryStoreConfig(hugePages));
    }

    private static Optional<StoreConfig> file(Section store, int before) {
        store.refuse("belongs to type = memory", "huge_pages");
        Optional<Found<String>> written = store.look(Keys.STORE_PATH);
        if (written.isEmpty()) {
            store.read(Keys.STORE_PATH);
        }
        boolean create = store.read(Keys.STORE_CREATE);
        if (store.faults() > before) {
            return Optional.empty();
        }
        Found<String> found = written.orElseThrow();
        try {
            Path path = ConfPath.resolve(found.value(), found.source());
            store.record(Keys.STORE_PATH, path.toString(), found.source());
            requireUsable(store, path, create);
            return store.ifSound(before, () -> new FileStoreConfig(path, create));
        } catch (InvalidPathException notAPath) {
            store.problem(Keys.STORE_PATH.name(), "is not a path on this system");
            return Optional.empty();
        }
    }

    /** Not so where nobody lets us look: opening the image will say that. */
    private static boolean isNoFolder(Path path) {
        return Files.notExists(path) || (Files.exists(path) && !Files.isDirectory(path));
    }

    private static void requireUsable(Section store, Path path, boolean create) {
        String name = Keys.STORE_PATH.name();
        if (Files.isDirectory(path)) {
            store.problem(name, path + " is a folder, not an image");
        } else if (Files.notExists(path) && !create) {
            store.problem(name, path + " does not exist and create = off");
        } else if (Files.notExists(path) && isNoFolder(path.resolveSibling("."))) {
            store.problem(name, path + " cannot be created, its folder does not exist");
        }
    }
}
