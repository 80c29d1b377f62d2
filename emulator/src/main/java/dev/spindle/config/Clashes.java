package dev.spindle.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What two devices may not have in common. */
final class Clashes {
    private final Section devices;

    Clashes(Section devices) {
        this.devices = devices;
    }

    void check(List<DeviceConfig> all) {
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                check(all.get(j), all.get(i));
            }
        }
    }

    private void check(DeviceConfig first, DeviceConfig second) {
        if (first.path().equals(second.path())) {
            Section section = devices.child(second.name());
            section.problem(
                    "path", second.path() + " is already the path of devices." + first.name());
        }
        if (first.store() instanceof FileStoreConfig one
                && second.store() instanceof FileStoreConfig other
                && isSameFile(one.path(), other.path())) {
            Section section = devices.child(second.name()).child("store");
            section.problem(
                    "path", other.path() + " is already the image of devices." + first.name());
        }
    }

    /** Whatever links lead there; of two that do not exist yet, their folders decide. */
    private static boolean isSameFile(Path one, Path other) {
        if (one.equals(other)) {
            return true;
        }
        try {
            return (Files.exists(one) && Files.exists(other))
                    ? Files.isSameFile(one, other)
                    : real(one).equals(real(other));
        } catch (IOException unreachable) {
            return false;
        }
    }

    private static Path real(Path path) throws IOException {
        if (Files.exists(path)) {
            return path.toRealPath();
        }
        Path parent = path.getParent();
        return parent == null ? path : parent.toRealPath().resolve(path.getFileName());
    }
}
