package dev.spindle.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file one process and the daemon share for one device ({@link ChannelLayout}). It has a name
 * only until the process has mapped it, so that nothing is left of it however both end.
 *
 * <p>Its memory is taken before anybody touches it, a step at a time: to touch a page that a full
 * file system cannot give is SIGBUS, to be refused a step is an answer. Made and grown by the
 * attaching thread, used by the loop that owns the device, closed by that loop.
 */
final class ChannelFile implements AutoCloseable {
    /** What the arena has at first, and grows by. */
    static final int STEP_BYTES = ChannelLayout.MAX_TRANSFER_BYTES;

    private static final FileAttribute<Set<PosixFilePermission>> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int ZEROES_BYTES = 256 << 10;

    private final Path path;
    private final FileChannel channel;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer fields;
    private final long arenaLimitBytes;
    private long arenaBytes;
    private boolean isClosed;

    private ChannelFile(
            Path path, FileChannel channel, MappedByteBuffer mapped, long arenaLimitBytes) {
        this.path = path;
        this.channel = channel;
        this.mapped = mapped;
        this.arenaLimitBytes = arenaLimitBytes;
        fields = new UnsafeBuffer(mapped);
    }

    static ChannelFile create(Path path, long arenaLimitBytes) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        OURS_ALONE);
        try {
            writeZeroes(channel, 0, ChannelLayout.ARENA_OFFSET + STEP_BYTES);
            long bytes = ChannelLayout.ARENA_OFFSET + arenaLimitBytes;
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            ChannelFile file = new ChannelFile(path, channel, mapped, arenaLimitBytes);
            file.writeHeader();
            return file;
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    private void writeHeader() {
        fields.putInt(ChannelLayout.VERSION_OFFSET, ChannelLayout.VERSION);
        fields.putInt(ChannelLayout.STATE_OFFSET, ChannelLayout.STATE_OPEN);
        fields.putLong(ChannelLayout.ARENA_LIMIT_OFFSET, arenaLimitBytes);
        fields.putInt(ChannelLayout.SLOTS_OFFSET, ChannelLayout.SLOTS);
        fields.putInt(ChannelLayout.PARKED_OFFSET, 1);
        arenaBytes = STEP_BYTES;
        fields.putLongRelease(ChannelLayout.ARENA_BYTES_OFFSET, arenaBytes);
    }

    private static void writeZeroes(FileChannel channel, long from, long bytes) throws IOException {
        ByteBuffer zeroes = ByteBuffer.allocateDirect(ZEROES_BYTES);
        long end = from + bytes;
        for (long at = from; at < end; ) {
            zeroes.clear().limit((int) Math.min(ZEROES_BYTES, end - at));
            at += channel.write(zeroes, at);
        }
    }

    Path path() {
        return path;
    }

    /** All of it; every offset is one of {@link ChannelLayout}. */
    UnsafeBuffer fields() {
        return fields;
    }

    /** The same bytes for who reads and writes data. */
    ByteBuffer buffer() {
        return mapped;
    }

    synchronized long arenaBytes() {
        return arenaBytes;
    }

    /** One step more; false when it has reached its limit. The process sees it when it looks. */
    synchronized boolean grow() throws IOException {
        if (isClosed || arenaBytes >= arenaLimitBytes) {
            return false;
        }
        long stepBytes = Math.min(STEP_BYTES, arenaLimitBytes - arenaBytes);
        writeZeroes(channel, ChannelLayout.ARENA_OFFSET + arenaBytes, stepBytes);
        arenaBytes += stepBytes;
        fields.putLongRelease(ChannelLayout.ARENA_BYTES_OFFSET, arenaBytes);
        return true;
    }

    /** It has all it will get: the process need not ask again. */
    synchronized void stopGrowing() {
        if (!isClosed) {
            fields.putLongRelease(ChannelLayout.ARENA_LIMIT_OFFSET, arenaBytes);
        }
    }

    /** The process has it now; nobody else is to find it. */
    void removeName() throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public synchronized void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        fields.wrap(new byte[0]);
        IoUtil.unmap(mapped);
        try (channel) {
            removeName();
        }
    }
}
