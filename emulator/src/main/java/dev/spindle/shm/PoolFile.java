package dev.spindle.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The credits of one device's pool, shared by the daemon and all processes under the shim; the
 * shim's side is {@code shm_layout.h}.
 *
 * <pre>
 *   offset  size  field                (little endian, 12288 bytes in all)
 *   +------+-----+--------------------+------------------------------------------------+
 *   |    0 |   8 | magic              | 'S','P','N','D','L','P','0','1'                |
 *   |    8 |   4 | layout version     | 1                                              |
 *   |   12 |   4 | clients            | 512                                            |
 *   |   64 |   8 | word, reads        | see below                                      |
 *   |   72 |   8 | tickets, reads     | the next waiter's place in the line            |
 *   |  128 |   8 | word, writes       |                                                |
 *   |  136 |   8 | tickets, writes    |                                                |
 *   | 4096 | 8 x | taken, reads       | for each client: credits it is known to have   |
 *   | 8192 | 512 | taken, writes      | taken, see {@link SharedPool}                  |
 *   +------+-----+--------------------+------------------------------------------------+
 *
 *   word   bits 0-17 count | 18 full | 19-27 who took last | 28-63 how many that one has taken in all
 * </pre>
 */
final class PoolFile implements AutoCloseable {
    static final int BYTES = 12288;
    static final int CLIENTS = 512;

    /** "SPNDLP01" as a little-endian number. */
    static final long MAGIC = 0x3130_504c_444e_5053L;

    static final int VERSION = 1;

    private static final int VERSION_OFFSET = 8;
    private static final int CLIENTS_OFFSET = 12;
    private static final int WORD_OFFSET = 64;
    private static final int SIDE_BYTES = 64;
    private static final int TAKEN_OFFSET = 4096;
    private static final int TAKEN_BYTES = 4096;

    private final Path path;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer fields;

    private PoolFile(Path path, MappedByteBuffer mapped) {
        this.path = path;
        this.mapped = mapped;
        fields = new UnsafeBuffer(mapped);
    }

    static PoolFile create(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            var _ = channel.write(ByteBuffer.allocate(BYTES), 0);
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            PoolFile file = new PoolFile(path, mapped);
            file.fields.putInt(VERSION_OFFSET, VERSION);
            file.fields.putInt(CLIENTS_OFFSET, CLIENTS);
            file.fields.putLongRelease(0, MAGIC);
            return file;
        }
    }

    Path path() {
        return path;
    }

    long word(int direction) {
        return fields.getLongVolatile(wordOffset(direction));
    }

    boolean swapWord(int direction, long expected, long next) {
        return fields.compareAndSetLong(wordOffset(direction), expected, next);
    }

    /** What others say the client has taken, in all. */
    long taken(int direction, int client) {
        return fields.getLongVolatile(TAKEN_OFFSET + direction * TAKEN_BYTES + client * Long.BYTES);
    }

    private static int wordOffset(int direction) {
        return WORD_OFFSET + direction * SIDE_BYTES;
    }

    @Override
    public void close() throws IOException {
        fields.wrap(new byte[0]);
        IoUtil.unmap(mapped);
        Files.deleteIfExists(path);
    }
}
