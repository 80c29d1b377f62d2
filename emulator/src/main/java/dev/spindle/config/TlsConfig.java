package dev.spindle.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The NBD server's identity; PEM files, read when the daemon starts.
 *
 * @param certificate the server's, and behind it those of the authorities in between
 * @param clientCa if there, clients must show a certificate that one of these has signed
 */
public record TlsConfig(Path certificate, Path key, Optional<Path> clientCa) {}
