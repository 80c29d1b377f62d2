package dev.spindle.config;

import java.nio.file.Path;
import java.util.Optional;

/** Reads the section {@code server}. */
final class ServerReader {
    private ServerReader() {}

    static Optional<ServerConfig> read(Section root) {
        int before = root.faults();
        Section server = root.child("server");
        Optional<TcpConfig> tcp = tcp(server.child("tcp"));
        Optional<UnixConfig> unix = unix(server.child("unix"));
        Optional<LimitsConfig> limits = limits(server.child("limits"));
        if (tcp.isPresent() && unix.isPresent() && !tcp.get().enabled() && !unix.get().enabled()) {
            server.problem("tcp and unix are both disabled, nobody could connect");
        }
        return server.ifSound(
                before,
                () ->
                        new ServerConfig(
                                tcp.orElseThrow(), unix.orElseThrow(), limits.orElseThrow()));
    }

    private static Optional<TcpConfig> tcp(Section tcp) {
        int before = tcp.faults();
        boolean isEnabled = tcp.read(Keys.TCP_ENABLED);
        String host = tcp.read(Keys.TCP_HOST);
        int port = tcp.read(Keys.TCP_PORT);
        boolean isInsecure = tcp.read(Keys.TCP_INSECURE);
        if (tcp.faults() == before && !isInsecure && !Loopback.isLoopback(host)) {
            tcp.problem(
                    Keys.TCP_HOST.name(),
                    host
                            + " is outside the loopback range, allowed 127.0.0.0/8, ::1 or localhost:"
                            + " NBD here has neither encryption nor log-in, so whoever reaches the"
                            + " port reads and writes every device; server.tcp.insecure = on accepts"
                            + " that");
        }
        return tcp.ifSound(before, () -> new TcpConfig(isEnabled, host, port, isInsecure));
    }

    private static Optional<UnixConfig> unix(Section unix) {
        int before = unix.faults();
        boolean isEnabled = unix.read(Keys.UNIX_ENABLED);
        String path = unix.read(Keys.UNIX_PATH);
        int modeBits = unix.read(Keys.UNIX_MODE);
        return unix.ifSound(before, () -> new UnixConfig(isEnabled, socketPath(path), modeBits));
    }

    private static Optional<Path> socketPath(String path) {
        return path.equals("auto") ? Optional.empty() : Optional.of(Path.of(path));
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
                                connections));
    }
}
