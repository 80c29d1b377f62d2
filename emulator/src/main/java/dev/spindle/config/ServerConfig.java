package dev.spindle.config;

/** Where the daemon listens and how much it takes on; at least one of TCP and unix is enabled. */
public record ServerConfig(TcpConfig tcp, UnixConfig unix, LimitsConfig limits) {
    public ServerConfig {
        Checks.require(tcp.enabled() || unix.enabled(), "neither tcp nor unix is enabled");
    }
}
