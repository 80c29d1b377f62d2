package dev.spindle.media;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** A stretch of a memory store: mapped memory and, page by page, which of it holds data. */
final class MemoryRegion {
    private static final int PAGE_SHIFT = 12;
    private static final ByteBuffer ZERO_PAGE =
            ByteBuffer.allocateDirect(NativeMemory.PAGE_BYTES).asReadOnlyBuffer();

    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private final BitSet pages;

    MemoryRegion(int lengthBytes, boolean hugePages) throws IOException {
        memory = NativeMemory.map(lengthBytes);
        if (hugePages) {
            NativeMemory.preferHugePages(memory);
        }
        bytes = memory.asByteBuffer();
        pages = new BitSet(lengthBytes >> PAGE_SHIFT);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    long allocatedBytes() {
        return (long) pages.cardinality() << PAGE_SHIFT;
    }

    /** The first byte from there on that holds data; the region's length if there is none. */
    int nextData(int at) {
        int page = pages.nextSetBit(at >> PAGE_SHIFT);
        return page < 0 ? bytes.capacity() : Math.max(at, page << PAGE_SHIFT);
    }

    /** The first byte from there on that holds none; the region's length if there is none. */
    int nextHole(int at) {
        int page = pages.nextClearBit(at >> PAGE_SHIFT);
        return Math.min(bytes.capacity(), Math.max(at, page << PAGE_SHIFT));
    }

    void write(int at, ByteBuffer source, int index, int lengthBytes) {
        bytes.put(at, source, index, lengthBytes);
        pages.set(at >> PAGE_SHIFT, ((at + lengthBytes - 1) >> PAGE_SHIFT) + 1);
    }

    /** Zeroes the edges and gives whole pages back. */
    void discard(int at, int lengthBytes) throws IOException {
        int end = at + lengthBytes;
        int firstPage = (at + NativeMemory.PAGE_BYTES - 1) >> PAGE_SHIFT;
        int endPage = end >> PAGE_SHIFT;
        if (firstPage >= endPage) {
            zeroWithinPages(at, end);
            return;
        }
        zeroWithinPages(at, firstPage << PAGE_SHIFT);
        zeroWithinPages(endPage << PAGE_SHIFT, end);
        int held = pages.nextSetBit(firstPage);
        if (held >= 0 && held < endPage) {
            long length = (long) (endPage - firstPage) << PAGE_SHIFT;
            NativeMemory.release(memory, (long) firstPage << PAGE_SHIFT, length);
            pages.clear(firstPage, endPage);
        }
    }

    private void zeroWithinPages(int from, int to) {
        int at = from;
        while (at < to) {
            int untilEdge = NativeMemory.PAGE_BYTES - (at & (NativeMemory.PAGE_BYTES - 1));
            int part = Math.min(to - at, untilEdge);
            if (pages.get(at >> PAGE_SHIFT)) {
                bytes.put(at, ZERO_PAGE, 0, part);
            }
            at += part;
        }
    }

    void unmap() throws IOException {
        NativeMemory.unmap(memory);
    }
}
