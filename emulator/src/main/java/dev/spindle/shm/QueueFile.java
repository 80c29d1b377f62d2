package dev.spindle.shm;

import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.QueueSettings;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The limits of one device's queue, in a file that every process under the shim maps and reads
 * live. Written by the loop that owns the device.
 *
 * <pre>
 *   offset  size  field                 (little endian, 4096 bytes in all)
 *   +-----+----+----------------------+---------------------------------------+
 *   |   0 |  8 | magic                | bytes 'S','P','N','D','L','Q','0','1' |
 *   |   8 |  4 | layout version       | 1                                     |
 *   |  12 |  4 | generation           | seqlock: odd while fields change      |
 *   |  16 |  4 | nr_requests          |                                       |
 *   |  20 |  4 | max_sectors_kb       |                                       |
 *   |  24 |  4 | hard_cap             | 0 or 1                                |
 *   |  28 |  4 | logical block, bytes |                                       |
 *   |  32 |  8 | capacity, bytes      |                                       |
 *   |  40 |  4 | flags                | bit 0: read-only, bit 1: no pool      |
 *   |  44 |  4 | pid of the daemon    | signed                                |
 *   |  48 |  4 | time scale           | in thousandths; 0 is 1000             |
 *   |  52 |  4 | congested            | bit 0: reads, 1: writes, 2: these     |
 *   |     |    |                      | sleep, where there is no pool         |
 *   |  56 |    | zeros                |                                       |
 *   +-----+----+----------------------+---------------------------------------+
 * </pre>
 *
 * <p>All stores are releases, so that whoever sees an even generation twice has seen fields of one
 * change. The magic is stored last: a file without it is not ready.
 */
public final class QueueFile implements AutoCloseable {
    public static final int BYTES = 4096;
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int GENERATION_OFFSET = 12;
    static final int NR_REQUESTS_OFFSET = 16;
    static final int MAX_SECTORS_KB_OFFSET = 20;
    static final int HARD_CAP_OFFSET = 24;
    static final int LOGICAL_BLOCK_OFFSET = 28;
    static final int CAPACITY_OFFSET = 32;
    static final int FLAGS_OFFSET = 40;
    static final int PID_OFFSET = 44;
    static final int TIME_SCALE_OFFSET = 48;
    static final int CONGESTED_OFFSET = 52;

    /** "SPNDLQ01" as a little-endian number. */
    static final long MAGIC = 0x3130_514c_444e_5053L;

    static final int VERSION = 1;
    static final int READ_ONLY_FLAG = 1;
    static final int NO_POOL_FLAG = 2;

    private final Path path;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer fields;
    private boolean isClosed;

    private QueueFile(Path path, MappedByteBuffer mapped) {
        this.path = path;
        this.mapped = mapped;
        fields = new UnsafeBuffer(mapped);
    }

    /** Makes the file anew. */
    public static QueueFile create(
            Path path, DeviceIdentity identity, QueueSettings settings, long daemonPid)
            throws IOException {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IOException("queue files need a little-endian machine");
        }
        Files.deleteIfExists(path);
        QueueFile file = new QueueFile(path, map(path));
        file.fields.putIntRelease(VERSION_OFFSET, VERSION);
        file.fields.putIntRelease(LOGICAL_BLOCK_OFFSET, identity.limits().logicalBlockBytes());
        file.fields.putLongRelease(CAPACITY_OFFSET, identity.capacityBytes());
        file.fields.putIntRelease(FLAGS_OFFSET, identity.isReadOnly() ? READ_ONLY_FLAG : 0);
        file.fields.putIntRelease(PID_OFFSET, Math.toIntExact(daemonPid));
        file.update(settings);
        file.fields.putLongRelease(MAGIC_OFFSET, MAGIC);
        return file;
    }

    private static MappedByteBuffer map(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        }
    }

    public Path path() {
        return path;
    }

    /** After every change of the tunables. */
    public void update(QueueSettings settings) {
        if (isClosed) {
            return;
        }
        int generation = fields.getInt(GENERATION_OFFSET);
        fields.putIntRelease(GENERATION_OFFSET, generation + 1);
        fields.putIntRelease(NR_REQUESTS_OFFSET, settings.nrRequests());
        fields.putIntRelease(MAX_SECTORS_KB_OFFSET, settings.maxSectorsKb());
        fields.putIntRelease(HARD_CAP_OFFSET, settings.hardCap() ? 1 : 0);
        fields.putIntRelease(GENERATION_OFFSET, generation + 2);
    }

    /** Whether those who open the device from now on may write. */
    public void readOnly(boolean isReadOnly) {
        if (!isClosed) {
            int others = fields.getInt(FLAGS_OFFSET) & ~READ_ONLY_FLAG;
            fields.putIntRelease(FLAGS_OFFSET, others | (isReadOnly ? READ_ONLY_FLAG : 0));
        }
    }

    /**
     * Before the first program: the device takes requests as they are, and nr_requests is not
     * theirs.
     */
    public void withoutPool() {
        fields.putIntRelease(FLAGS_OFFSET, fields.getInt(FLAGS_OFFSET) | NO_POOL_FLAG);
    }

    /** How fast the device's time passes; before the first request, and after every change. */
    public void timeScale(int thousandths) {
        if (!isClosed) {
            fields.putIntRelease(TIME_SCALE_OFFSET, thousandths);
        }
    }

    /**
     * The flags of reads (bit 0) and writes (bit 1), and whether these sleep (bit 2), after every
     * change.
     */
    public void congested(int flags) {
        if (!isClosed) {
            fields.putIntRelease(CONGESTED_OFFSET, flags);
        }
    }

    /** Unmaps and removes it, once the loop is done with it; processes that map it keep theirs. */
    @Override
    public void close() throws IOException {
        if (!isClosed) {
            isClosed = true;
            fields.wrap(new byte[0]);
            IoUtil.unmap(mapped);
            Files.deleteIfExists(path);
        }
    }
}
