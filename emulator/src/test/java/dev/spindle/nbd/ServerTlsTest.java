package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a PEM file is one line that names it. */
class ServerTlsTest {
    @TempDir private static Path folder;
    private static Certificates made;

    @BeforeAll
    static void make() {
        made = new Certificates(folder);
        made.make("ec");
        made.make("rsa", "RSA", "-1d", 30);
        made.make("ed", "Ed25519", "-1d", 30);
        made.make("old", "EC", "-10d", 2);
        made.make("young", "EC", "+10d", 20);
    }

    private static void load(Path certificate, Path key) throws IOException {
        ServerTls.load(new TlsFiles(certificate, key, Optional.empty())).close();
    }

    private static void refuses(Path certificate, Path key, String... parts) {
        assertThatThrownBy(() -> load(certificate, key))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(parts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ec", "rsa", "ed"})
    void takesEveryUsualKindOfKey(String name) throws IOException {
        load(made.pem(name), made.key(name));
    }

    @Test
    void takesKeyAndCertificateFromOneFileWithTextAround() throws IOException {
        Path both = folder.resolve("both.pem");
        Files.writeString(
                both,
                "Certificate:\n    Data:\n"
                        + Files.readString(made.key("ec"))
                        + "subject=x\r\n"
                        + Files.readString(made.pem("ec")).replace("\n", "\r\n"));
        load(both, both);
    }

    @Test
    void refusesAnotherCertificatesKey() {
        refuses(made.pem("ec"), made.key("rsa"), "rsa.key does not belong to", "ec.pem");
        refuses(made.pem("ec"), made.key("old"), "old.key does not belong to");
    }

    @Test
    void refusesWhatIsOutOfItsTime() {
        refuses(made.pem("old"), made.key("old"), "old.pem has expired");
        refuses(made.pem("young"), made.key("young"), "young.pem is not valid yet");
    }

    @Test
    void refusesWhatCannotBeRead() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        Path torn = folder.resolve("torn.pem");
        String whole = Files.readString(made.pem("ec"));
        Files.writeString(torn, Certificates.block("CERTIFICATE", Arrays.copyOf(der(whole), 100)));
        Path key = made.key("ec");
        refuses(folder.resolve("none.pem"), key, "TLS certificate", "none.pem does not exist");
        refuses(folder, key, "is a folder");
        refuses(empty, key, "empty.pem is no PEM file");
        refuses(torn, key, "torn.pem is damaged");
        refuses(key, key, "ec.key holds no certificate");
        refuses(made.pem("ec"), made.pem("ec"), "TLS key", "ec.pem holds no private key");
    }

    private static byte[] der(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void refusesADamagedKey(String label) throws IOException {
        Path torn = folder.resolve("torn.key");
        Files.writeString(torn, Certificates.block(label, new byte[] {0x30, 3, 2, 1, 0}));
        refuses(made.pem("ec"), torn, "torn.key is damaged");
    }

    @Test
    void refusesAnEncryptedKeyAndSaysWhatToDo() throws IOException {
        Path locked = folder.resolve("locked.key");
        Files.writeString(locked, Certificates.block("ENCRYPTED PRIVATE KEY", new byte[50]));
        refuses(made.pem("ec"), locked, "locked.key is encrypted", "openssl pkey");
    }

    @Test
    void refusesAnAuthorityOutOfItsTime() {
        TlsFiles files = new TlsFiles(made.pem("ec"), made.key("ec"), Optional.of(made.pem("old")));
        assertThatThrownBy(() -> ServerTls.load(files))
                .hasMessageContaining("TLS client_ca")
                .hasMessageContaining("old.pem has expired");
    }

    /** PKCS #8 wraps the older form in an OCTET STRING at its end; ours must be as the JDK's. */
    @Test
    void readsAnOlderFormOfAnRsaKeyAsTheSameKey() throws IOException {
        byte[] pkcs8 = der(Files.readString(made.key("rsa")));
        byte[] older = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
        Path file = folder.resolve("pkcs1.key");
        Files.writeString(file, Certificates.block("RSA PRIVATE KEY", older));
        PrivateKey read = PemKey.read(file);
        assertThat(read).isEqualTo(PemKey.read(made.key("rsa")));
        load(made.pem("rsa"), file);
    }
}
