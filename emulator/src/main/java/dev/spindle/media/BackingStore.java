package dev.spindle.media;

import dev.spindle.block.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes behind a drive. Ranges lie within the capacity: callers have checked. Buffers are read
 * and filled by absolute index; their position and limit stay as they are. Used by one thread at a
 * time.
 */
public interface BackingStore extends AutoCloseable {
    long capacityBytes();

    /**
     * Fills the target.
     *
     * @throws SectorException if a place cannot be read; all before it has been
     */
    void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes) throws IOException;

    void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes) throws IOException;

    /** The range reads as zeroes afterwards and gives back what it can of its space. */
    void discard(long offsetBytes, long lengthBytes) throws IOException;

    /** The range reads as zeroes afterwards and keeps, or gets, its space. */
    void zero(long offsetBytes, long lengthBytes) throws IOException;

    /** All that was written survives the end of the process and, for a file, of the machine. */
    void flush() throws IOException;

    /**
     * True where an operation may wait for a disk, so that it belongs on a store thread and not on
     * an event loop.
     */
    boolean mayBlock();

    /** The store's own memory, where reads can be served with no copy; null where there is none. */
    @Nullable DirectMemory directMemory();

    /**
     * The first byte from there on that holds data; the capacity where only a hole follows. What
     * cannot tell holes says that all is data.
     */
    default long nextData(long offsetBytes) throws IOException {
        return offsetBytes;
    }

    /** The first byte from there on that lies in a hole; the capacity where only data follows. */
    default long nextHole(long offsetBytes) throws IOException {
        return capacityBytes();
    }

    /** True where {@link #discard} takes less time than a write of as much, whatever the range. */
    default boolean discardsFast() {
        return false;
    }

    /** Bytes that hold data, for people who look; holes do not count. */
    long allocatedBytes() throws IOException;

    @Override
    void close() throws IOException;
}
