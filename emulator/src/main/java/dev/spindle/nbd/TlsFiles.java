package dev.spindle.nbd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the server's TLS identity lies, all in PEM.
 *
 * @param certificate the server's certificate, and behind it those of the authorities in between
 * @param key its private key, not encrypted
 * @param clientCa if there, every client must show a certificate that one of these has signed
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}
