package dev.spindle.media;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * What Linux can do with a sparse file and the JDK cannot: set its length, punch holes
 * (fallocate(2)), find what is allocated (lseek(2) with SEEK_DATA and SEEK_HOLE). It has a
 * descriptor of its own, which must stay open as long as the file is locked: closing any descriptor
 * of a file drops the process's locks on it.
 */
final class SparseFile implements AutoCloseable {
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int FALLOC_PUNCH_HOLE_KEEP_SIZE = 0x03;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int EPERM = 1;
    private static final int ENXIO = 6;
    private static final int ENOSPC = 28;
    private static final int ENOSYS = 38;
    private static final int EFBIG = 27;
    private static final int EOPNOTSUPP = 95;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final MethodHandle OPEN =
            LinuxCall.bind(
                    "open",
                    FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            LinuxCall.bind("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle FTRUNCATE =
            LinuxCall.bind("ftruncate", FunctionDescriptor.of(INT, INT, LONG));
    private static final MethodHandle FALLOCATE =
            LinuxCall.bind("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG));
    private static final MethodHandle LSEEK =
            LinuxCall.bind("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT));

    private final int descriptor;

    private SparseFile(int descriptor) {
        this.descriptor = descriptor;
    }

    static SparseFile open(Path path, boolean readOnly) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            MemorySegment state = LinuxCall.newState(arena);
            int fd = (int) OPEN.invokeExact(state, name, (readOnly ? 0 : O_RDWR) | O_CLOEXEC);
            if (fd < 0) {
                throw new IOException("open: errno " + LinuxCall.errno(state));
            }
            return new SparseFile(fd);
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    void setLength(long lengthBytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = LinuxCall.newState(arena);
            if ((int) FTRUNCATE.invokeExact(state, descriptor, lengthBytes) != 0) {
                int errno = LinuxCall.errno(state);
                throw new IOException(
                        errno == EFBIG
                                ? "the file system takes no file of that size"
                                : "ftruncate: errno " + errno);
            }
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    /** Gives the range's blocks back; false where the file system cannot. */
    boolean punchHole(long offsetBytes, long lengthBytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = LinuxCall.newState(arena);
            int result =
                    (int)
                            FALLOCATE.invokeExact(
                                    state,
                                    descriptor,
                                    FALLOC_PUNCH_HOLE_KEEP_SIZE,
                                    offsetBytes,
                                    lengthBytes);
            if (result == 0) {
                return true;
            }
            return switch (LinuxCall.errno(state)) {
                case EOPNOTSUPP, ENOSYS, EPERM -> false;
                case ENOSPC -> throw new IOException("No space left on device");
                default -> throw new IOException("fallocate: errno " + LinuxCall.errno(state));
            };
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    /** The bytes of the file that are no holes. */
    long allocatedBytes() throws IOException {
        long sum = 0;
        long at = seek(0, SEEK_DATA);
        while (at >= 0) {
            long end = seek(at, SEEK_HOLE);
            sum += end - at;
            at = seek(end, SEEK_DATA);
        }
        return sum;
    }

    /** The next data from there on; -1 when there is none. */
    long nextData(long offsetBytes) throws IOException {
        return seek(offsetBytes, SEEK_DATA);
    }

    /** The next hole from there on, the one behind the end at the latest. */
    long nextHole(long offsetBytes) throws IOException {
        return seek(offsetBytes, SEEK_HOLE);
    }

    /** The next data or hole from there on; -1 when there is none. */
    private long seek(long offsetBytes, int whence) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = LinuxCall.newState(arena);
            long result = (long) LSEEK.invokeExact(state, descriptor, offsetBytes, whence);
            if (result < 0 && LinuxCall.errno(state) != ENXIO) {
                throw new IOException("lseek: errno " + LinuxCall.errno(state));
            }
            return result;
        } catch (Throwable e) {
            throw LinuxCall.rethrow(e);
        }
    }

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) CLOSE.invokeExact(LinuxCall.newState(arena), descriptor);
            assert result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
