package dev.spindle.media;

import dev.spindle.block.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sparse store in memory. The range is divided into regions of 64 MiB; a region is mapped when it
 * is first written, and the kernel gives it pages as they are touched, so 8 TiB cost nothing until
 * written. Discarded pages go back.
 *
 * <p>Owned by the loop that owns the device. Reads never allocate: what was not written is served
 * from one shared region of zeroes.
 */
public final class MemoryStore implements BackingStore, DirectMemory {
    static final int REGION_SHIFT = 26;
    static final int REGION_BYTES = 1 << REGION_SHIFT;
    private static final int REGION_MASK = REGION_BYTES - 1;
    private static final int DIRECTORY_SHIFT = 13;
    private static final int DIRECTORY_REGIONS = 1 << DIRECTORY_SHIFT;
    private static final int ZERO_BYTES = 1 << 20;
    private static final ByteBuffer ZEROES =
            ByteBuffer.allocateDirect(ZERO_BYTES).asReadOnlyBuffer();

    private final long capacityBytes;
    private final boolean hugePages;
    private final @Nullable MemoryRegion[] @Nullable [] directories;

    public MemoryStore(long capacityBytes) {
        this(capacityBytes, false);
    }

    /** One that takes 2 MiB at a time where the kernel has that to give. */
    public static MemoryStore withHugePages(long capacityBytes) {
        return new MemoryStore(capacityBytes, true);
    }

    private MemoryStore(long capacityBytes, boolean hugePages) {
        if (capacityBytes <= 0) {
            throw new IllegalArgumentException(
                    "capacity=" + capacityBytes + " bytes is not positive");
        }
        this.capacityBytes = capacityBytes;
        this.hugePages = hugePages;
        long regions = ((capacityBytes - 1) >>> REGION_SHIFT) + 1;
        directories = new MemoryRegion[(int) (((regions - 1) >>> DIRECTORY_SHIFT) + 1)][];
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target, int index, int lengthBytes) {
        int done = 0;
        while (done < lengthBytes) {
            long at = offsetBytes + done;
            int part = contiguousBytes(at, lengthBytes - done);
            target.put(index + done, regionAt(at), indexInRegion(at), part);
            done += part;
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
            throws IOException {
        int done = 0;
        while (done < lengthBytes) {
            long at = offsetBytes + done;
            int within = (int) at & REGION_MASK;
            int part = Math.min(lengthBytes - done, REGION_BYTES - within);
            regionForWriting(at).write(within, source, index + done, part);
            done += part;
        }
    }

    @Override
    public void discard(long offsetBytes, long lengthBytes) throws IOException {
        long done = 0;
        while (done < lengthBytes) {
            long at = offsetBytes + done;
            int within = (int) at & REGION_MASK;
            int part = (int) Math.min(lengthBytes - done, REGION_BYTES - within);
            MemoryRegion region = region(at);
            if (region != null) {
                region.discard(within, part);
            }
            done += part;
        }
    }

    @Override
    public void zero(long offsetBytes, long lengthBytes) throws IOException {
        long done = 0;
        while (done < lengthBytes) {
            int part = (int) Math.min(lengthBytes - done, ZERO_BYTES);
            write(offsetBytes + done, ZEROES, 0, part);
            done += part;
        }
    }

    @Override
    public void flush() {
        // Memory is as stable as this store gets.
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public DirectMemory directMemory() {
        return this;
    }

    @Override
    public ByteBuffer regionAt(long offsetBytes) {
        MemoryRegion region = region(offsetBytes);
        return region == null ? ZEROES : region.bytes();
    }

    @Override
    public int indexInRegion(long offsetBytes) {
        return region(offsetBytes) == null ? 0 : (int) offsetBytes & REGION_MASK;
    }

    @Override
    public int contiguousBytes(long offsetBytes, int lengthBytes) {
        int untilEdge = REGION_BYTES - ((int) offsetBytes & REGION_MASK);
        int contiguous = Math.min(lengthBytes, untilEdge);
        return region(offsetBytes) == null ? Math.min(contiguous, ZERO_BYTES) : contiguous;
    }

    @Override
    public int holeBytes(long offsetBytes, int lengthBytes) {
        return (int) (nextDataBefore(offsetBytes + lengthBytes, offsetBytes) - offsetBytes);
    }

    @Override
    public int dataBytes(long offsetBytes, int lengthBytes) {
        return (int) (nextHoleBefore(offsetBytes + lengthBytes, offsetBytes) - offsetBytes);
    }

    @Override
    public long nextData(long offsetBytes) {
        return nextDataBefore(capacityBytes, offsetBytes);
    }

    @Override
    public long nextHole(long offsetBytes) {
        return nextHoleBefore(capacityBytes, offsetBytes);
    }

    @Override
    public boolean discardsFast() {
        return true;
    }

    private long nextDataBefore(long endBytes, long offsetBytes) {
        long at = offsetBytes;
        while (at < endBytes) {
            MemoryRegion region = region(at);
            if (region != null) {
                int within = (int) at & REGION_MASK;
                int found = region.nextData(within);
                if (found < REGION_BYTES) {
                    return Math.min(endBytes, at - within + found);
                }
            }
            at =
                    isDirectoryEmpty(at)
                            ? next(at, DIRECTORY_SHIFT + REGION_SHIFT)
                            : next(at, REGION_SHIFT);
        }
        return endBytes;
    }

    private long nextHoleBefore(long endBytes, long offsetBytes) {
        long at = offsetBytes;
        while (at < endBytes) {
            MemoryRegion region = region(at);
            if (region == null) {
                return at;
            }
            int within = (int) at & REGION_MASK;
            int found = region.nextHole(within);
            if (found < REGION_BYTES) {
                return Math.min(endBytes, at - within + found);
            }
            at = next(at, REGION_SHIFT);
        }
        return endBytes;
    }

    private boolean isDirectoryEmpty(long offsetBytes) {
        return directories[(int) (offsetBytes >>> (DIRECTORY_SHIFT + REGION_SHIFT))] == null;
    }

    private static long next(long offsetBytes, int shift) {
        return ((offsetBytes >>> shift) + 1) << shift;
    }

    @Override
    public long allocatedBytes() {
        long sum = 0;
        for (@Nullable MemoryRegion[] directory : directories) {
            if (directory != null) {
                for (MemoryRegion region : directory) {
                    sum += region == null ? 0 : region.allocatedBytes();
                }
            }
        }
        return sum;
    }

    /** Unmaps everything: nobody may hold a region any more. */
    @Override
    public void close() throws IOException {
        for (@Nullable MemoryRegion[] directory : directories) {
            if (directory != null) {
                for (MemoryRegion region : directory) {
                    if (region != null) {
                        region.unmap();
                    }
                }
            }
        }
        Arrays.fill(directories, null);
    }

    private @Nullable MemoryRegion region(long offsetBytes) {
        long number = offsetBytes >>> REGION_SHIFT;
        @Nullable MemoryRegion[] directory = directories[(int) (number >>> DIRECTORY_SHIFT)];
        return directory == null ? null : directory[(int) number & (DIRECTORY_REGIONS - 1)];
    }

    private MemoryRegion regionForWriting(long offsetBytes) throws IOException {
        long number = offsetBytes >>> REGION_SHIFT;
        int slot = (int) (number >>> DIRECTORY_SHIFT);
        @Nullable MemoryRegion[] directory = directories[slot];
        if (directory == null) {
            directory = new MemoryRegion[DIRECTORY_REGIONS];
            directories[slot] = directory;
        }
        int entry = (int) number & (DIRECTORY_REGIONS - 1);
        MemoryRegion region = directory[entry];
        if (region == null) {
            region = new MemoryRegion(REGION_BYTES, hugePages);
            directory[entry] = region;
        }
        return region;
    }
}
