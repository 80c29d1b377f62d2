package dev.spindle.nbd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes certificates with the JDK's keytool, which every machine that runs the tests has. */
final class Certificates {
    private static final String PASSWORD = "changeit";

    private final Path folder;

    Certificates(Path folder) {
        this.folder = folder;
    }

    /** NAME.pem, signed by itself, and NAME.key; {@code startDate} as keytool takes it. */
    void make(String name, String algorithm, String startDate, int days) {
        Path store = folder.resolve(name + ".p12");
        keytool("-genkeypair", "-alias", "a", "-keyalg", algorithm, "-dname", "CN=" + name)
                .and("-startdate", startDate, "-validity", "" + days)
                .and("-ext", "san=ip:127.0.0.1,dns:localhost", "-ext", "bc=ca:true")
                .run(store);
        keytool("-exportcert", "-alias", "a", "-rfc", "-file", pem(name).toString()).run(store);
        writeKey(store, key(name));
    }

    void make(String name) {
        make(name, "EC", "-1d", 30);
    }

    Path pem(String name) {
        return folder.resolve(name + ".pem");
    }

    Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private static void writeKey(Path store, Path to) {
        try (var in = Files.newInputStream(store)) {
            var keys = java.security.KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            byte[] der = keys.getKey("a", PASSWORD.toCharArray()).getEncoded();
            Files.writeString(to, block("PRIVATE KEY", der));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String block(String label, byte[] der) {
        String body = java.util.Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private static Words keytool(String... words) {
        Words all = new Words();
        all.words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        return all.and(words);
    }

    private static final class Words {
        private final List<String> words = new ArrayList<>();

        Words and(String... more) {
            words.addAll(List.of(more));
            return this;
        }

        void run(Path store) {
            and("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12");
            try {
                Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
                String said =
                        new String(
                                process.getInputStream().readAllBytes(),
                                java.nio.charset.StandardCharsets.UTF_8);
                if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new AssertionError(words + ": " + said);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
