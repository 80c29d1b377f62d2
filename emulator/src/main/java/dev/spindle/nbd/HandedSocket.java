package dev.spindle.nbd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A socket that somebody else has opened and handed over with its descriptor: one that listens,
 * from systemd or who does as systemd, or one that is connected, on standard input. Whoever serves
 * it closes it.
 *
 * @param name as those who read a message know it
 * @param path of a unix socket, if it has a name in the file system
 */
public record HandedSocket(int fd, String name, boolean isUnix, Optional<Path> path) {
    /** One that listens; its descriptor need not be prepared for a loop. */
    public static HandedSocket listening(int fd, String name) throws IOException {
        HandedSocket socket = checked(fd, name);
        if (SocketCalls.option(fd, SocketCalls.SO_ACCEPTCONN) == 0) {
            throw new IOException(name + " does not listen; systemd wants Accept=no");
        }
        return socket;
    }

    /** One with a client at its other end. */
    static HandedSocket connected(int fd, String name) throws IOException {
        HandedSocket socket = checked(fd, name);
        if (SocketCalls.option(fd, SocketCalls.SO_ACCEPTCONN) != 0) {
            throw new IOException(name + " is a socket that listens, not a connection");
        }
        return socket;
    }

    private static HandedSocket checked(int fd, String name) throws IOException {
        int domain;
        int type;
        try {
            domain = SocketCalls.option(fd, SocketCalls.SO_DOMAIN);
            type = SocketCalls.option(fd, SocketCalls.SO_TYPE);
        } catch (IOException e) {
            throw new IOException(name + " cannot be used: " + e.getMessage(), e);
        }
        boolean isUnix = domain == SocketCalls.AF_UNIX;
        boolean isTcp = domain == SocketCalls.AF_INET || domain == SocketCalls.AF_INET6;
        if (type != SocketCalls.SOCK_STREAM || !(isUnix || isTcp)) {
            throw new IOException(name + " is neither a TCP nor a unix stream socket");
        }
        SocketCalls.prepareForLoop(fd);
        String file = isUnix ? SocketCalls.unixPath(fd) : "";
        Optional<Path> path = file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file));
        return new HandedSocket(fd, name, isUnix, path);
    }
}
