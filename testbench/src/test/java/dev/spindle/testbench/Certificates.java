package dev.spindle.testbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * An authority, a server's and a client's certificate in PEM files, by openssl, as certtool and
 * most guides make them: RSA keys, and the names that GnuTLS looks for in a folder.
 */
record Certificates(Path folder) {
    static Certificates in(Path newFolder) throws IOException {
        Tools.require("openssl");
        Certificates made = new Certificates(Files.createDirectory(newFolder));
        made.authority();
        made.signed("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
        made.signed("client", "extendedKeyUsage=clientAuth");
        return made;
    }

    /** The settings for {@code --set} that name the server's files. */
    String[] serverSettings() {
        return new String[] {
            "--set",
            "server.tls.certificate=" + folder + "/server-cert.pem",
            "--set",
            "server.tls.key=" + folder + "/server-key.pem"
        };
    }

    /** What a client in Java needs that trusts the authority. */
    SSLContext clientContext() throws IOException {
        try (InputStream in = Files.newInputStream(folder.resolve("ca-cert.pem"))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void authority() {
        Command.of("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
                .and("-keyout", "ca-key.pem", "-out", "ca-cert.pem", "-subj", "/CN=Test CA")
                .and("-addext", "basicConstraints=critical,CA:true")
                .in(folder)
                .succeed();
    }

    private void signed(String name, String extension) throws IOException {
        Files.writeString(folder.resolve("extension"), extension);
        Command.of("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=" + name)
                .and("-keyout", name + "-key.pem", "-out", "request")
                .in(folder)
                .succeed();
        Command.of("openssl", "x509", "-req", "-in", "request", "-days", "2")
                .and("-CA", "ca-cert.pem", "-CAkey", "ca-key.pem", "-CAcreateserial")
                .and("-out", name + "-cert.pem", "-extfile", "extension")
                .in(folder)
                .succeed();
    }
}
