package dev.spindle.config;

import java.util.Optional;

/**
 * Where the daemon listens and how much it takes on; at least one of TCP and unix is enabled.
 *
 * @param tls there wherever one of them uses TLS
 */
public record ServerConfig(
        TcpConfig tcp,
        UnixConfig unix,
        Optional<TlsConfig> tls,
        ShmConfig shm,
        LimitsConfig limits) {
    public ServerConfig {
        Checks.require(tcp.enabled() || unix.enabled(), "neither tcp nor unix is enabled");
        boolean usesTls = tcp.tls() != TlsUse.OFF || unix.tls() != TlsUse.OFF;
        Checks.require(tls.isPresent() || !usesTls, "TLS without a certificate");
    }
}
