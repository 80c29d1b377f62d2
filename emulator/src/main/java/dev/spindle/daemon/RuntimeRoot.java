package dev.spindle.daemon;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder in which every daemon of this user has its own, named by its pid. It is how the other
 * commands find the daemons that run.
 */
public record RuntimeRoot(Path path) {
    static final FileAttribute<Set<PosixFilePermission>> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    /** $SPINDLE_RUNTIME_DIR, else $XDG_RUNTIME_DIR/spindle, else /tmp/spindle-UID. */
    public static RuntimeRoot of(Map<String, String> environment) throws IOException {
        String own = environment.getOrDefault("SPINDLE_RUNTIME_DIR", "");
        if (!own.isEmpty()) {
            return new RuntimeRoot(Path.of(own).toAbsolutePath().normalize());
        }
        String session = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!session.isEmpty()) {
            return new RuntimeRoot(Path.of(session, "spindle").toAbsolutePath().normalize());
        }
        return new RuntimeRoot(Path.of("/tmp/spindle-" + ownUid()));
    }

    static int ownUid() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** Makes it if need be; refuses one that others own or can enter. */
    void prepare() throws IOException {
        try {
            Files.createDirectory(path, OURS_ALONE);
        } catch (FileAlreadyExistsException _) {
            // As it should be from the second daemon on; checked like a new one.
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "runtime folder " + path + ": " + path.getParent() + " does not exist", e);
        } catch (IOException e) {
            throw new IOException(
                    "runtime folder " + path + " cannot be created: " + Reason.of(e), e);
        }
        check();
    }

    private void check() throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isSymbolicLink()) {
            throw new IOException(
                    "runtime folder " + path + " is a symbolic link; name the folder itself");
        }
        if (!attributes.isDirectory()) {
            throw new IOException("runtime folder " + path + " is no folder");
        }
        int uid = (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (uid != ownUid()) {
            throw new IOException("runtime folder " + path + " belongs to another user, " + uid);
        }
        if (!OWNER.containsAll(attributes.permissions())) {
            throw new IOException(
                    "runtime folder "
                            + path
                            + " is open to others ("
                            + PosixFilePermissions.toString(attributes.permissions())
                            + "): chmod 700 it");
        }
    }

    /**
     * The daemons that are ready, by their pids; folders left behind by dead ones are removed on
     * the way.
     */
    public List<LiveDaemon> live() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        check();
        List<Path> folders;
        try (Stream<Path> entries = Files.list(path)) {
            folders =
                    entries.filter(entry -> entry.getFileName().toString().matches("[0-9]{1,9}"))
                            .sorted((a, b) -> Long.compare(pid(a), pid(b)))
                            .toList();
        }
        List<LiveDaemon> live = new ArrayList<>();
        for (Path folder : folders) {
            if (RuntimeFolder.removeIfStale(folder)) {
                continue;
            }
            LiveDaemon daemon = new LiveDaemon(pid(folder), folder);
            if (daemon.isReady()) {
                live.add(daemon);
            }
        }
        return live;
    }

    private static long pid(Path folder) {
        return Long.parseLong(folder.getFileName().toString());
    }
}
