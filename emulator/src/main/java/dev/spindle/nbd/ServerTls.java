package dev.spindle.nbd;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLException;

/**
 * The server's end of TLS: its identity, read and checked once, and the handlers made from it. The
 * TLS is the JDK's, 1.3 and 1.2.
 *
 * <p>What a handshake computes takes milliseconds, so it is done on a thread of its own, one task
 * of each connection at most; loops, and the drives on them, are not held up by it.
 */
public final class ServerTls implements AutoCloseable {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /**
     * In TLS 1.3 the JDK asks for no PKCS #1 signatures, as RFC 8446 has it, and GnuTLS of Debian
     * 12 (3.7.9), which most NBD clients use, then believes that no RSA certificate of its own
     * would do and shows none.
     */
    private static final String[] PROTOCOLS_THAT_CHECK_CLIENTS = {"TLSv1.2"};

    private final SslContext context;
    private final ExecutorService handshakes =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("tls", true));

    private ServerTls(SslContext context) {
        this.context = context;
    }

    /** Whatever is wrong with the files is one line that names the file. */
    public static ServerTls load(TlsFiles files) throws IOException {
        List<X509Certificate> chain = certificates("TLS certificate", files.certificate());
        PrivateKey key = PemKey.read(files.key());
        requirePair(files, chain.getFirst(), key);
        SslContextBuilder builder =
                SslContextBuilder.forServer(key, chain.toArray(X509Certificate[]::new))
                        .sslProvider(SslProvider.JDK)
                        .protocols(PROTOCOLS);
        Optional<Path> clientCa = files.clientCa();
        if (clientCa.isPresent()) {
            List<X509Certificate> authorities = certificates("TLS client_ca", clientCa.get());
            builder.protocols(PROTOCOLS_THAT_CHECK_CLIENTS)
                    .trustManager(authorities.toArray(X509Certificate[]::new))
                    .clientAuth(ClientAuth.REQUIRE);
        }
        try {
            return new ServerTls(builder.build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException(
                    "TLS certificate " + files.certificate() + ": " + e.getMessage(), e);
        }
    }

    /** The handshake's deadline and the size of what waits are the connection's business. */
    SslHandler newHandler(ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator, handshakes);
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /** True if it tells of a peer that fails at TLS, not of a fault of ours. */
    static boolean isFailure(Throwable cause) {
        return cause instanceof SSLException || cause.getCause() instanceof SSLException;
    }

    private static List<X509Certificate> certificates(String what, Path file) throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        for (PemBlock block : PemBlock.read(what, file)) {
            if (block.label().endsWith("CERTIFICATE")) {
                found.add(certificate(what + ' ' + file, block.der()));
            }
        }
        if (found.isEmpty()) {
            throw new IOException(what + ' ' + file + " holds no certificate");
        }
        return found;
    }

    private static X509Certificate certificate(String name, byte[] der) throws IOException {
        try {
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(der));
            certificate.checkValidity();
            return certificate;
        } catch (CertificateExpiredException e) {
            throw new IOException(name + " has expired: " + e.getMessage(), e);
        } catch (CertificateNotYetValidException e) {
            throw new IOException(name + " is not valid yet: " + e.getMessage(), e);
        } catch (CertificateException e) {
            throw new IOException(name + " is damaged: " + e.getMessage(), e);
        }
    }

    /** What the key signs, the certificate must verify. */
    private static void requirePair(TlsFiles files, X509Certificate certificate, PrivateKey key)
            throws IOException {
        if (!isPair(certificate, key)) {
            throw new IOException(
                    "TLS key " + files.key() + " does not belong to " + files.certificate());
        }
    }

    private static boolean isPair(X509Certificate certificate, PrivateKey key) {
        byte[] probe = new byte[32];
        try {
            Signature signature = Signature.getInstance(signatureOf(key));
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException anotherKindOfKey) {
            return false;
        }
    }

    private static String signatureOf(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA", "RSASSA-PSS" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    @Override
    public void close() {
        handshakes.shutdownNow();
    }
}
