package dev.spindle.media;

import dev.spindle.block.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A store in a file: a raw, sparse image, locked for as long as it is open, so that two daemons
 * never share one. Writes go to the page cache and survive the end of the process; {@link #flush}
 * takes them to the disk (fdatasync). Used by its store thread.
 */
public final class FileStore implements BackingStore {
    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;
    private final SparseFile sparse;
    private final long capacityBytes;
    private final boolean punchesHoles;

    private FileStore(
            Path path,
            FileChannel channel,
            FileLock lock,
            SparseFile sparse,
            long capacityBytes,
            boolean punchesHoles) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
        this.sparse = sparse;
        this.capacityBytes = capacityBytes;
        this.punchesHoles = punchesHoles;
    }

    /**
     * Opens the image, or makes a sparse one of that size if there is none and {@code create}
     * allows it.
     *
     * @throws IOException with one clear line: missing, not writable, of another size, or in use
     */
    public static FileStore open(Path path, long capacityBytes, boolean create, boolean readOnly)
            throws IOException {
        boolean isNew = create && !readOnly && createEmpty(path);
        FileChannel channel = openChannel(path, readOnly);
        SparseFile sparse = null;
        try {
            FileLock lock = lock(channel, path, readOnly);
            sparse = SparseFile.open(path, readOnly);
            if (isNew || (channel.size() == 0 && create && !readOnly)) {
                extend(sparse, capacityBytes, path);
            } else if (channel.size() != capacityBytes) {
                throw new IOException(
                        "image "
                                + path
                                + " has "
                                + channel.size()
                                + " bytes, the device's size is "
                                + capacityBytes);
            }
            return new FileStore(
                    path,
                    channel,
                    lock,
                    sparse,
                    capacityBytes,
                    !readOnly && punchesBehindTheEnd(sparse, capacityBytes));
        } catch (IOException | RuntimeException e) {
            if (sparse != null) {
                sparse.close();
            }
            channel.close();
            if (isNew) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    private static boolean createEmpty(Path path) throws IOException {
        try {
            Files.createFile(path);
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        } catch (NoSuchFileException e) {
            throw new IOException("image " + path + ": no such folder", e);
        } catch (IOException e) {
            throw new IOException("image " + path + " cannot be created: " + reason(e), e);
        }
    }

    private static FileChannel openChannel(Path path, boolean readOnly) throws IOException {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw new IOException(
                        Files.isDirectory(path) ? "is a folder" : "is not a regular file");
            }
            return readOnly
                    ? FileChannel.open(path, StandardOpenOption.READ)
                    : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw new IOException("image " + path + " does not exist", e);
        } catch (IOException e) {
            String use =
                    readOnly
                            ? " cannot be opened for reading: "
                            : " cannot be opened for writing: ";
            throw new IOException("image " + path + use + reason(e), e);
        }
    }

    private static FileLock lock(FileChannel channel, Path path, boolean shared)
            throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException _) {
            lock = null;
        }
        if (lock == null) {
            throw new IOException("image " + path + " is locked: another process uses it");
        }
        return lock;
    }

    private static void extend(SparseFile sparse, long capacityBytes, Path path)
            throws IOException {
        try {
            sparse.setLength(capacityBytes);
        } catch (IOException e) {
            throw new IOException(
                    "image "
                            + path
                            + " cannot be made "
                            + capacityBytes
                            + " bytes long: "
                            + reason(e),
                    e);
        }
    }

    /** Changes nothing, and tells whether the file system can. */
    private static boolean punchesBehindTheEnd(SparseFile sparse, long capacityBytes)
            throws IOException {
        long block = 4096;
        long behind = (capacityBytes + block - 1) / block * block;
        return sparse.punchHole(behind, block);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes)
            throws IOException {
        ByteBuffer window = target.duplicate().limit(index + lengthBytes).position(index);
        while (window.hasRemaining()) {
            long at = offsetBytes + window.position() - index;
            if (readSome(window, at) < 0) {
                throw new SectorException(
                        at,
                        "image "
                                + path
                                + " ends at "
                                + channel.size()
                                + ": it was cut short at offset "
                                + at,
                        null);
            }
        }
    }

    /** Linux hands out what lies before a bad place first, and fails at the place itself. */
    private int readSome(ByteBuffer window, long at) throws IOException {
        try {
            return channel.read(window, at);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw new SectorException(
                    at, "image " + path + " at offset " + at + ": " + reason(e), e);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        ByteBuffer window = source.duplicate().limit(index + lengthBytes).position(index);
        while (window.hasRemaining()) {
            channel.write(window, offsetBytes + window.position() - index);
        }
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) throws IOException {
        if (!sparse.punchHole(offsetBytes, lengthBytes)) {
            zero(offsetBytes, lengthBytes);
        }
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) throws IOException {
        ByteBuffer zeroes = ByteBuffer.allocateDirect((int) Math.min(lengthBytes, 1 << 20));
        long done = 0;
        while (done < lengthBytes) {
            int part = (int) Math.min(zeroes.capacity(), lengthBytes - done);
            write(offsetBytes + done, zeroes, 0, part);
            done += part;
        }
    }

    @Override
    public long nextData(long offsetBytes) throws IOException {
        long found = sparse.nextData(offsetBytes);
        return found < 0 ? capacityBytes : found;
    }

    @Override
    public long nextHole(long offsetBytes) throws IOException {
        long found = sparse.nextHole(offsetBytes);
        return found < 0 ? capacityBytes : Math.min(capacityBytes, found);
    }

    @Override
    public boolean discardsFast() {
        return punchesHoles;
    }

    @Override
    public void flush() throws IOException {
        channel.force(false);
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public @Nullable DirectMemory directMemory() {
        return null;
    }

    @Override
    public long allocatedBytes() throws IOException {
        return sparse.allocatedBytes();
    }

    @Override
    public void close() throws IOException {
        try (channel;
                sparse) {
            if (lock.isValid()) {
                lock.release();
            }
        }
    }
}
