package dev.spindle.daemon;

import dev.spindle.config.ServerConfig;
import dev.spindle.config.TcpConfig;
import dev.spindle.config.TlsUse;
import dev.spindle.config.UnixConfig;
import dev.spindle.nbd.HandedSocket;
import dev.spindle.nbd.NbdServer;
import dev.spindle.nbd.SocketAccess;
import dev.spindle.nbd.TlsMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a daemon listens for NBD: on the sockets of its settings; or on those that were handed
 * over, and then besides only on the one in its own folder, which the shim needs; or, with its one
 * client there already, nowhere.
 */
final class Listeners {
    private final ServerConfig config;
    private final DaemonOptions options;

    Listeners(ServerConfig config, DaemonOptions options) {
        this.config = config;
        this.options = options;
    }

    /** The unix socket that it makes itself, if it does. */
    Optional<Path> unixSocket(RuntimeFolder folder) throws IOException {
        boolean isOwn = config.unix().path().isEmpty();
        boolean isWanted = options.activated().isEmpty() || isOwn;
        if (!config.unix().enabled() || !isWanted || options.connection().isPresent()) {
            return Optional.empty();
        }
        Path path = config.unix().path().orElseGet(folder::nbdSocket);
        RuntimeFolder.requireSocketPath(path);
        return Optional.of(path);
    }

    Addresses open(NbdServer nbd, Optional<Path> unixSocket) throws IOException {
        List<InetSocketAddress> tcp = new ArrayList<>();
        List<Path> unix = new ArrayList<>();
        if (unixSocket.isPresent()) {
            UnixConfig settings = config.unix();
            nbd.listenUnix(unixSocket.get(), access(settings), mode(settings.tls()));
            unix.add(unixSocket.get());
        }
        for (HandedSocket socket : options.activated()) {
            TlsUse use = socket.isUnix() ? config.unix().tls() : config.tcp().tls();
            Optional<InetSocketAddress> address = nbd.listenOn(socket, mode(use));
            address.ifPresent(tcp::add);
            socket.path().ifPresent(unix::add);
            if (address.isPresent()) {
                requireGuarded(socket, address.get());
            }
        }
        boolean isHanded = !options.activated().isEmpty() || options.connection().isPresent();
        if (config.tcp().enabled() && !isHanded) {
            for (String host : config.tcp().hosts()) {
                tcp.add(listen(nbd, host, config.tcp()));
            }
        }
        return new Addresses(
                tcp, unix, isRequired(config.tcp().tls()), isRequired(config.unix().tls()));
    }

    private void requireGuarded(HandedSocket socket, InetSocketAddress address) throws IOException {
        if (!address.getAddress().isLoopbackAddress() && !config.tcp().isForOthers()) {
            throw new IOException(
                    socket.name()
                            + " listens on "
                            + address.getAddress().getHostAddress()
                            + ", outside the loopback range: server.tcp.tls = required guards it,"
                            + " server.tcp.insecure = on lets everybody in");
        }
    }

    private static InetSocketAddress listen(NbdServer nbd, String host, TcpConfig tcp)
            throws IOException {
        InetSocketAddress wanted = new InetSocketAddress(host, tcp.port());
        if (wanted.isUnresolved()) {
            throw new IOException("cannot listen on " + host + ": unknown host");
        }
        return (InetSocketAddress) nbd.listenTcp(wanted, mode(tcp.tls()));
    }

    private static SocketAccess access(UnixConfig unix) {
        return new SocketAccess(permissions(unix.modeBits()), unix.owner(), unix.group());
    }

    private static Set<PosixFilePermission> permissions(int modeBits) {
        StringBuilder text = new StringBuilder("rwxrwxrwx");
        for (int i = 0; i < text.length(); i++) {
            if ((modeBits & (0400 >> i)) == 0) {
                text.setCharAt(i, '-');
            }
        }
        return PosixFilePermissions.fromString(text.toString());
    }

    private static boolean isRequired(TlsUse use) {
        return use == TlsUse.REQUIRED;
    }

    static TlsMode mode(TlsUse use) {
        return switch (use) {
            case OFF -> TlsMode.OFF;
            case OPTIONAL -> TlsMode.OPTIONAL;
            case REQUIRED -> TlsMode.REQUIRED;
        };
    }
}
