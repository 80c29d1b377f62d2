package dev.spindle.nbd;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A unix socket's name in the file system: who may put one there, and who removes it again. */
record UnixSocketFile(Path path, long inode) {
    private static final Logger LOG = LoggerFactory.getLogger(UnixSocketFile.class);
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_SOCKET = 0140000;

    /** Makes way at {@code path}: removes a socket that nobody answers at, fails on all else. */
    static void clear(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & TYPE_MASK) != TYPE_SOCKET) {
            throw new IOException("cannot listen on " + path + ": it exists and is no socket");
        }
        if (answers(path)) {
            throw new IOException("cannot listen on " + path + ": address in use");
        }
        LOG.info("replacing the stale socket {}", path);
        Files.deleteIfExists(path);
    }

    /**
     * Sets who may connect and remembers which file it is. It was nobody's to connect to until now;
     * the owner comes first, so that no permission is ever somebody else's.
     */
    static UnixSocketFile claim(Path path, SocketAccess access) throws IOException {
        UnixSocketFile file = new UnixSocketFile(path, inodeOf(path));
        try {
            access.apply(path);
        } catch (IOException e) {
            file.remove();
            throw e;
        }
        return file;
    }

    /** Unless somebody has put another in its place. */
    void remove() {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && inodeOf(path) == inode) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.warn("cannot remove the socket {}", path, e);
        }
    }

    private static long inodeOf(Path path) throws IOException {
        return (long) Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Only ECONNREFUSED says that nobody has it: another kind of socket, one we may not connect to
     * and one whose backlog is full belong to somebody.
     */
    private static boolean answers(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            var _ = probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException refused) {
            return false;
        } catch (SocketException other) {
            return true;
        }
    }
}
