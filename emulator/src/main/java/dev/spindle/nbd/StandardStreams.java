package dev.spindle.nbd;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Standard input and output as one connection, as inetd, ssh and nbd_connect_command give them. One
 * socket on both is served as it is. Two pipes get a thread each that copies between them and a
 * socket pair, since epoll's channels are sockets.
 *
 * <p>Afterwards both are what standard error is, so that a stray print never gets between replies.
 */
public final class StandardStreams {
    private static final Logger LOG = LoggerFactory.getLogger(StandardStreams.class);
    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int COPY_BYTES = 256 << 10;

    private final HandedSocket connection;
    private final @Nullable Thread output;

    private StandardStreams(HandedSocket connection, @Nullable Thread output) {
        this.connection = connection;
        this.output = output;
    }

    /** To be called once, before anything is printed. */
    public static StandardStreams take() throws IOException {
        Path input = target(STDIN);
        Path output = target(STDOUT);
        if (input.startsWith("/dev/pts") || input.startsWith("/dev/tty")) {
            throw new IOException(
                    "standard input is a terminal; --stdio is for programs that speak NBD there");
        }
        int in = SocketCalls.duplicate(STDIN);
        int out = SocketCalls.duplicate(STDOUT);
        SocketCalls.replace(STDIN, STDERR);
        SocketCalls.replace(STDOUT, STDERR);
        if (input.toString().startsWith("socket:") && input.equals(output)) {
            SocketCalls.close(out);
            return new StandardStreams(HandedSocket.connected(in, "standard input"), null);
        }
        int[] pair = SocketCalls.pair();
        var _ = start("stdin", () -> copyInput(in, pair[1]));
        Thread copier = start("stdout", () -> copyOutput(pair[1], out));
        String name = "standard input and output";
        return new StandardStreams(HandedSocket.connected(pair[0], name), copier);
    }

    public HandedSocket connection() {
        return connection;
    }

    /** When the connection is closed: waits until its last bytes are on their way. */
    public void await(Duration limit) throws InterruptedException {
        if (output != null) {
            var _ = output.join(limit);
        }
    }

    private static Path target(int fd) throws IOException {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd));
        } catch (IOException e) {
            throw new IOException(
                    "standard " + (fd == STDIN ? "input" : "output") + " is closed", e);
        }
    }

    private static Thread start(String name, Runnable copying) {
        Thread thread = new Thread(copying, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void copyInput(int from, int socket) {
        copy(from, socket);
        try {
            SocketCalls.endOutput(socket);
        } catch (IOException e) {
            LOG.debug("standard input", e);
        }
    }

    /** Closing it tells the client that this was all; the daemon ends then anyway. */
    private static void copyOutput(int socket, int to) {
        copy(socket, to);
        try {
            SocketCalls.close(to);
        } catch (IOException e) {
            LOG.debug("standard output", e);
        }
    }

    private static void copy(int from, int to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(COPY_BYTES);
            long bytes = SocketCalls.read(from, buffer);
            while (bytes > 0) {
                SocketCalls.write(to, buffer.asSlice(0, bytes));
                bytes = SocketCalls.read(from, buffer);
            }
        } catch (IOException e) {
            LOG.debug("standard input or output", e);
        }
    }
}
