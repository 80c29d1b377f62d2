package dev.spindle.config;

/**
 * The NBD server's TCP socket.
 *
 * @param port 0 lets the system pick a free one
 * @param insecure true where the user has agreed to a host beyond the loopback range
 */
public record TcpConfig(boolean enabled, String host, int port, boolean insecure) {
    public TcpConfig {
        Checks.requireRange("port", port, 0, 65535);
        Checks.require(insecure || Loopback.isLoopback(host), "host is not loopback: " + host);
    }
}
