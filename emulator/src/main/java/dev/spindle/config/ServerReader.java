package dev.spindle.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the section {@code server}. */
final class ServerReader {
    private ServerReader() {}

    static Optional<ServerConfig> read(Section root) {
        int before = root.faults();
        Section server = root.child("server");
        Optional<TcpConfig> tcp = tcp(server.child("tcp"));
        Optional<UnixConfig> unix = unix(server.child("unix"));
        Optional<TlsConfig> tls = tls(server.child("tls"));
        Optional<ShmConfig> shm = shm(server.child("shm"));
        Optional<LimitsConfig> limits = limits(server.child("limits"));
        if (tcp.isPresent() && unix.isPresent()) {
            check(server, tcp.get(), unix.get(), tls.isPresent());
        }
        return server.ifSound(
                before,
                () ->
                        new ServerConfig(
                                tcp.orElseThrow(),
                                unix.orElseThrow(),
                                tls,
                                shm.orElseThrow(),
                                limits.orElseThrow()));
    }

    private static void check(Section server, TcpConfig tcp, UnixConfig unix, boolean hasTls) {
        if (!tcp.enabled() && !unix.enabled()) {
            server.problem("tcp and unix are both disabled, nobody could connect");
        }
        boolean usesTls = tcp.tls() != TlsUse.OFF || unix.tls() != TlsUse.OFF;
        if (usesTls && !hasTls) {
            server.problem("TLS needs server.tls.certificate and server.tls.key");
        }
    }

    private static Optional<TcpConfig> tcp(Section tcp) {
        int before = tcp.faults();
        boolean isEnabled = tcp.read(ServerKeys.TCP_ENABLED);
        List<String> hosts = tcp.read(ServerKeys.TCP_HOST);
        int port = tcp.read(ServerKeys.TCP_PORT);
        TlsUse tls = tcp.read(ServerKeys.TCP_TLS);
        boolean isInsecure = tcp.read(ServerKeys.TCP_INSECURE);
        boolean isGuarded = isInsecure || tls == TlsUse.REQUIRED;
        for (String host : hosts) {
            if (tcp.faults() == before && !isGuarded && !Loopback.isLoopback(host)) {
                tcp.problem(
                        ServerKeys.TCP_HOST.name(),
                        host
                                + " is outside the loopback range, allowed 127.0.0.0/8, ::1 or"
                                + " localhost: without TLS NBD has neither encryption nor log-in,"
                                + " so whoever reaches the port reads and writes every device;"
                                + " server.tcp.tls = required prevents that, server.tcp.insecure ="
                                + " on accepts it");
            }
        }
        return tcp.ifSound(before, () -> new TcpConfig(isEnabled, hosts, port, tls, isInsecure));
    }

    private static Optional<UnixConfig> unix(Section unix) {
        int before = unix.faults();
        boolean isEnabled = unix.read(ServerKeys.UNIX_ENABLED);
        String path = unix.read(ServerKeys.UNIX_PATH);
        int modeBits = unix.read(ServerKeys.UNIX_MODE);
        Optional<String> owner = unlessKept(unix.read(ServerKeys.UNIX_OWNER));
        Optional<String> group = unlessKept(unix.read(ServerKeys.UNIX_GROUP));
        TlsUse tls = unix.read(ServerKeys.UNIX_TLS);
        return unix.ifSound(
                before,
                () -> new UnixConfig(isEnabled, socketPath(path), modeBits, owner, group, tls));
    }

    private static Optional<String> unlessKept(String who) {
        return who.equals("keep") ? Optional.empty() : Optional.of(who);
    }

    /** Certificate and key come together; whether they are any good is seen at start. */
    private static Optional<TlsConfig> tls(Section tls) {
        Optional<Path> certificate = ConfPath.read(tls, ServerKeys.TLS_CERTIFICATE);
        Optional<Path> key = ConfPath.read(tls, ServerKeys.TLS_KEY);
        Optional<Path> clientCa = ConfPath.read(tls, ServerKeys.TLS_CLIENT_CA);
        boolean hasAny = certificate.isPresent() || key.isPresent() || clientCa.isPresent();
        if (hasAny && (certificate.isEmpty() || key.isEmpty())) {
            tls.problem("certificate and key are both needed");
            return Optional.empty();
        }
        return certificate.map(path -> new TlsConfig(path, key.orElseThrow(), clientCa));
    }

    private static Optional<Path> socketPath(String path) {
        return path.equals("auto") ? Optional.empty() : Optional.of(Path.of(path));
    }

    private static Optional<ShmConfig> shm(Section shm) {
        int before = shm.faults();
        boolean isEnabled = shm.read(ShmKeys.ENABLED);
        Path path = Path.of(shm.read(ShmKeys.PATH));
        long arenaBytes = shm.read(ShmKeys.ARENA);
        long memoryBytes = shm.read(ShmKeys.MEMORY);
        int clients = shm.read(ShmKeys.CLIENTS);
        if (arenaBytes % ShmKeys.ARENA_STEP_BYTES != 0) {
            shm.problem(
                    ShmKeys.ARENA.name(),
                    ShmKeys.ARENA.type().render(arenaBytes) + " is not a multiple of 4 MiB");
        }
        if (memoryBytes < arenaBytes) {
            shm.problem(
                    ShmKeys.MEMORY.name(),
                    ShmKeys.MEMORY.type().render(memoryBytes)
                            + " does not hold one arena of "
                            + ShmKeys.ARENA.type().render(arenaBytes));
        }
        return shm.ifSound(
                before, () -> new ShmConfig(isEnabled, path, arenaBytes, memoryBytes, clients));
    }

    private static Optional<LimitsConfig> limits(Section limits) {
        int before = limits.faults();
        long deadlineNs = limits.read(Keys.HANDSHAKE_DEADLINE);
        long payloadNs = limits.read(Keys.PAYLOAD_DEADLINE);
        int options = limits.read(Keys.MAX_OPTIONS);
        long requestBytes = limits.read(Keys.MAX_REQUEST);
        int requests = limits.read(Keys.REQUESTS_IN_FLIGHT);
        long bytes = limits.read(Keys.BYTES_IN_FLIGHT);
        long memory = limits.read(Keys.MEMORY);
        long idleNs = limits.read(Keys.IDLE);
        int connections = limits.read(Keys.CONNECTIONS);
        if (bytes < requestBytes) {
            limits.problem(
                    Keys.BYTES_IN_FLIGHT.name(),
                    Keys.BYTES_IN_FLIGHT.type().render(bytes)
                            + " does not hold one request of max_request = "
                            + Keys.MAX_REQUEST.type().render(requestBytes));
        }
        if (memory < 4 * requestBytes) {
            limits.problem(
                    Keys.MEMORY.name(),
                    Keys.MEMORY.type().render(memory)
                            + " is less than four times max_request = "
                            + Keys.MAX_REQUEST.type().render(requestBytes));
        }
        return limits.ifSound(
                before,
                () ->
                        new LimitsConfig(
                                deadlineNs,
                                payloadNs,
                                options,
                                Math.toIntExact(requestBytes),
                                requests,
                                bytes,
                                memory,
                                idleNs,
                                connections));
    }
}
