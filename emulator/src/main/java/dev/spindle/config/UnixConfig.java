package dev.spindle.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The NBD server's unix socket.
 *
 * @param path empty where the daemon chooses (auto)
 * @param modeBits the socket file's permissions, as chmod takes them
 * @param owner name or number; empty to leave it to the daemon's own
 * @param group likewise
 */
public record UnixConfig(
        boolean enabled,
        Optional<Path> path,
        int modeBits,
        Optional<String> owner,
        Optional<String> group,
        TlsUse tls) {
    public UnixConfig {
        Checks.requireRange("mode", modeBits, 0, 0777);
    }
}
