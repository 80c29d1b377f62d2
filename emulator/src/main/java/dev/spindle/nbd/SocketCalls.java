package dev.spindle.nbd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The calls of the C library that Java has no words for: on descriptors that somebody else has
 * opened, and on a socket before it has a name. Numbers are those of Linux on all its 64-bit
 * machines.
 */
final class SocketCalls {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_STREAM = 1;
    static final int SO_TYPE = 3;
    static final int SO_ACCEPTCONN = 30;
    static final int SO_DOMAIN = 39;

    private static final int SOL_SOCKET = 1;
    private static final int SHUT_WR = 1;
    private static final int F_SETFD = 2;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int FD_CLOEXEC = 1;
    private static final int O_NONBLOCK = 04000;
    private static final int EINTR = 4;
    private static final int EBADF = 9;
    private static final int ENOTSOCK = 88;
    private static final int FIRST_PLAIN_FD = 3;

    /** sockaddr_un: the family, then a path of at most 108 bytes (unix(7)). */
    private static final int FAMILY_BYTES = 2;

    private static final int SOCKADDR_UN_BYTES = FAMILY_BYTES + 108;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle FCNTL =
            bind("fcntl", 2, FunctionDescriptor.of(INT, INT, INT, INT));
    private static final MethodHandle DUP2 = bind("dup2", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle FCHMOD = bind("fchmod", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle SHUTDOWN =
            bind("shutdown", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle SOCKETPAIR =
            bind("socketpair", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS));
    private static final MethodHandle GETSOCKOPT =
            bind(
                    "getsockopt",
                    FunctionDescriptor.of(
                            INT, INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    private static final MethodHandle GETSOCKNAME =
            bind(
                    "getsockname",
                    FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    private static final MethodHandle READ =
            bind("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG));
    private static final MethodHandle WRITE =
            bind("write", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG));

    private SocketCalls() {}

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return bind(name, descriptor.argumentLayouts().size(), descriptor);
    }

    @SuppressWarnings("restricted") // the one place in this package where C is called
    private static MethodHandle bind(String name, int fixed, FunctionDescriptor descriptor) {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        MemorySegment function = LINKER.defaultLookup().findOrThrow(name);
        return fixed == descriptor.argumentLayouts().size()
                ? LINKER.downcallHandle(function, descriptor, errno)
                : LINKER.downcallHandle(
                        function, descriptor, errno, Linker.Option.firstVariadicArg(fixed));
    }

    /** A call with the state that takes its errno. */
    @FunctionalInterface
    private interface Call {
        long in(MemorySegment state) throws Throwable;
    }

    /** Its result; a failure is an IOException with what was being done and why it failed. */
    private static long run(String what, Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = call.in(state);
            int errno = (int) ERRNO.get(state, 0L);
            while (result < 0 && errno == EINTR) {
                result = call.in(state);
                errno = (int) ERRNO.get(state, 0L);
            }
            if (result < 0) {
                throw new IOException(what + ": " + reason(errno));
            }
            return result;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(what, e);
        }
    }

    private static String reason(int errno) {
        return switch (errno) {
            case EBADF -> "there is no such open descriptor";
            case ENOTSOCK -> "it is no socket";
            default -> "error " + errno;
        };
    }

    static int option(int fd, int name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(INT);
            MemorySegment length = arena.allocateFrom(INT, Integer.BYTES);
            run(
                    "descriptor " + fd,
                    state ->
                            (int)
                                    GETSOCKOPT.invokeExact(
                                            state, fd, SOL_SOCKET, name, value, length));
            return value.get(INT, 0);
        }
    }

    /** The file of a unix socket; empty where it has none. */
    static String unixPath(int fd) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SOCKADDR_UN_BYTES + 1);
            MemorySegment length = arena.allocateFrom(INT, SOCKADDR_UN_BYTES);
            run(
                    "descriptor " + fd,
                    state -> (int) GETSOCKNAME.invokeExact(state, fd, address, length));
            boolean hasName = length.get(INT, 0) > FAMILY_BYTES;
            return hasName ? address.getString(FAMILY_BYTES) : "";
        }
    }

    /** Neither waits nor survives an exec. */
    static void prepareForLoop(int fd) throws IOException {
        int flags = (int) fcntl(fd, F_GETFL, 0);
        fcntl(fd, F_SETFL, flags | O_NONBLOCK);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }

    /** Another descriptor of the same, beyond the standard three. */
    static int duplicate(int fd) throws IOException {
        return (int) fcntl(fd, F_DUPFD_CLOEXEC, FIRST_PLAIN_FD);
    }

    private static long fcntl(int fd, int command, int argument) throws IOException {
        return run(
                "descriptor " + fd, state -> (int) FCNTL.invokeExact(state, fd, command, argument));
    }

    /** From here on {@code fd} is what {@code by} is. */
    static void replace(int fd, int by) throws IOException {
        run("descriptor " + fd, state -> (int) DUP2.invokeExact(state, by, fd));
    }

    /** Of a unix socket with no name yet: bind gives its file that mode, less the umask. */
    static void changeMode(int fd, int modeBits) throws IOException {
        run("fchmod of a socket", state -> (int) FCHMOD.invokeExact(state, fd, modeBits));
    }

    /** Two connected unix sockets. */
    static int[] pair() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = arena.allocate(INT, 2);
            run(
                    "socketpair",
                    state -> (int) SOCKETPAIR.invokeExact(state, AF_UNIX, SOCK_STREAM, 0, fds));
            return fds.toArray(INT);
        }
    }

    /** Waits for input; 0 at the end. */
    static long read(int fd, MemorySegment into) throws IOException {
        return run("read", state -> (long) READ.invokeExact(state, fd, into, into.byteSize()));
    }

    /** Waits until all of it is written. */
    static void write(int fd, MemorySegment bytes) throws IOException {
        long done = 0;
        while (done < bytes.byteSize()) {
            MemorySegment rest = bytes.asSlice(done);
            done +=
                    run(
                            "write",
                            state -> (long) WRITE.invokeExact(state, fd, rest, rest.byteSize()));
        }
    }

    static void endOutput(int socket) throws IOException {
        run("shutdown", state -> (int) SHUTDOWN.invokeExact(state, socket, SHUT_WR));
    }

    static void close(int fd) throws IOException {
        run("close", state -> (int) CLOSE.invokeExact(state, fd));
    }
}
