package dev.spindle.daemon;

import java.nio.file.Files;
import java.nio.file.Path;

/** A daemon that runs, as others see it: its pid and its folder. */
public record LiveDaemon(long pid, Path folder) {
    /** Its control socket is the last thing a daemon opens. */
    boolean isReady() {
        return Files.exists(controlSocket());
    }

    /** Started by {@code spindle run} for one program, with which it ends. */
    public boolean isPrivate() {
        return Files.exists(folder.resolve(RuntimeFolder.PRIVATE_MARK));
    }

    public Path controlSocket() {
        return folder.resolve(RuntimeFolder.CONTROL_SOCKET);
    }

    public Path shimMap() {
        return folder.resolve(RuntimeFolder.SHIM_MAP);
    }
}
