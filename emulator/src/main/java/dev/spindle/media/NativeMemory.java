package dev.spindle.media;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory that costs nothing until touched and can be given back page by page: mmap(2), madvise(2),
 * munmap(2). Constants are those of Linux on x86-64 and arm64.
 */
final class NativeMemory {
    static final int PAGE_BYTES = 4096;

    private static final int PROT_READ_WRITE = 0x3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final MethodHandle MMAP =
            LinuxCall.bind("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
    private static final MethodHandle MUNMAP =
            LinuxCall.bind("munmap", FunctionDescriptor.of(INT, LONG, LONG));
    private static final MethodHandle MADVISE =
            LinuxCall.bind("madvise", FunctionDescriptor.of(INT, LONG, LONG, INT));

    private NativeMemory() {}

    /** Zeroed memory, none of it resident yet. */
    @SuppressWarnings("restricted") // the address and length are those of the mapping just made
    static MemorySegment map(long lengthBytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = LinuxCall.newState(arena);
            long address =
                    (long)
                            MMAP.invokeExact(
                                    state,
                                    0L,
                                    lengthBytes,
                                    PROT_READ_WRITE,
                                    MAP_PRIVATE_ANONYMOUS_NORESERVE,
                                    -1,
                                    0L);
            if (address == -1) {
                throw new IOException(
                        "No space left: mmap of "
                                + lengthBytes
                                + " bytes: errno "
                                + LinuxCall.errno(state));
            }
            return MemorySegment.ofAddress(address).reinterpret(lengthBytes);
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    static void unmap(MemorySegment memory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int result =
                    (int)
                            MUNMAP.invokeExact(
                                    LinuxCall.newState(arena), memory.address(), memory.byteSize());
            assert result == 0;
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    /** A kernel without transparent huge pages goes on with small ones. */
    static void preferHugePages(MemorySegment memory) throws IOException {
        var _ = advise(memory.address(), memory.byteSize(), MADV_HUGEPAGE);
    }

    /** Gives whole pages back; they read as zeroes. */
    static void release(MemorySegment memory, long offsetBytes, long lengthBytes)
            throws IOException {
        int result = advise(memory.address() + offsetBytes, lengthBytes, MADV_DONTNEED);
        assert result == 0;
    }

    private static int advise(long address, long lengthBytes, int advice) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    MADVISE.invokeExact(LinuxCall.newState(arena), address, lengthBytes, advice);
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }
}
