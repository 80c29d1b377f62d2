package dev.spindle.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * One daemon's folder below the runtime root, removed when the daemon ends.
 *
 * <pre>
 *   ROOT/PID/lock            locked as long as the daemon lives
 *            private         there is one only where the daemon serves one program
 *            nbd.sock        NBD, unless another path was asked for
 *            shm.sock        where programs under the shim attach to shared memory
 *            shim.map        for the shim
 *            shim.sys/       what of /sys the devices have, for the shim
 *            DEVICE.queue    the limits of each queue, for the shim
 *            control.sock    opened last: who finds it finds a daemon that is ready
 * </pre>
 *
 * <p>A folder whose lock can be had belongs to a daemon that was killed. It is made under another
 * name and renamed when it is locked, so that no folder is ever seen unlocked while its daemon
 * lives.
 */
public final class RuntimeFolder implements AutoCloseable {
    static final String LOCK = "lock";
    static final String PRIVATE_MARK = "private";
    static final String CONTROL_SOCKET = "control.sock";
    static final String NBD_SOCKET = "nbd.sock";
    static final String SHM_SOCKET = "shm.sock";
    static final String SHIM_MAP = "shim.map";
    static final String SHIM_SYS = "shim" + SysFolder.SUFFIX;

    /** What sun_path holds, without its closing zero. */
    static final int MAX_SOCKET_PATH_BYTES = 107;

    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lockFile;

    private RuntimeFolder(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    static RuntimeFolder create(RuntimeRoot root, long pid, boolean isPrivate) throws IOException {
        return create(root, Long.toString(pid), isPrivate);
    }

    static RuntimeFolder create(RuntimeRoot root, String name, boolean isPrivate)
            throws IOException {
        root.prepare();
        Path path = root.path().resolve(name);
        try {
            requireSocketPath(path.resolve(CONTROL_SOCKET));
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + "; SPINDLE_RUNTIME_DIR can name another folder", e);
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && isLocked(path)) {
            throw new IOException("runtime folder " + path + " is in use by another daemon");
        }
        removeAll(path);
        Path unborn = root.path().resolve("." + name);
        removeAll(unborn);
        Files.createDirectory(unborn, RuntimeRoot.OURS_ALONE);
        FileChannel lockFile =
                FileChannel.open(
                        unborn.resolve(LOCK),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        if (lockFile.tryLock() == null) {
            throw new IOException("runtime folder " + unborn + " cannot be locked");
        }
        if (isPrivate) {
            Files.createFile(unborn.resolve(PRIVATE_MARK));
        }
        HELD_HERE.add(path);
        Files.move(unborn, path, StandardCopyOption.ATOMIC_MOVE);
        return new RuntimeFolder(path, lockFile);
    }

    /** Refuses what bind would, and what would not fit into a line of the shim's map. */
    static void requireSocketPath(Path socket) throws IOException {
        if (socket.toString().chars().anyMatch(Character::isISOControl)) {
            String shown = socket.toString().replaceAll("\\p{Cntrl}", "?");
            throw new IOException("unix socket path " + shown + " has a control character");
        }
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new IOException(
                    "unix socket path "
                            + socket
                            + " has "
                            + bytes
                            + " bytes, at most "
                            + MAX_SOCKET_PATH_BYTES
                            + " are possible");
        }
    }

    /** True when its daemon is dead; then it is gone. */
    static boolean removeIfStale(Path folder) throws IOException {
        if (isLocked(folder)) {
            return false;
        }
        removeAll(folder);
        return true;
    }

    /**
     * Locks of a file belong to the process, and closing any channel to it gives them up; so our
     * own is never tried.
     */
    private static boolean isLocked(Path folder) throws IOException {
        Path lock = folder.resolve(LOCK);
        if (HELD_HERE.contains(folder)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock taken = channel.tryLock()) {
            return taken == null;
        } catch (OverlappingFileLockException _) {
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static void removeAll(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException _) {
            return;
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    public Path path() {
        return path;
    }

    Path controlSocket() {
        return path.resolve(CONTROL_SOCKET);
    }

    Path nbdSocket() {
        return path.resolve(NBD_SOCKET);
    }

    Path shmSocket() {
        return path.resolve(SHM_SOCKET);
    }

    public Path shimMap() {
        return path.resolve(SHIM_MAP);
    }

    Path shimSys() {
        return path.resolve(SHIM_SYS);
    }

    Path queueFile(String device) {
        return path.resolve(device + ".queue");
    }

    @Override
    public void close() throws IOException {
        try (lockFile) {
            removeAll(path);
        } finally {
            HELD_HERE.remove(path);
        }
    }
}
