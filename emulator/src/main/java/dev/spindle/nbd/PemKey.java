package dev.spindle.nbd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;

/**
 * Reads a private key. The JDK knows PKCS #8 alone ("PRIVATE KEY"); the older forms that certtool
 * and openssl ecparam still write, RFC 8017 ("RSA PRIVATE KEY") and RFC 5915 ("EC PRIVATE KEY"),
 * are put into one:
 *
 * <pre>
 *  SEQUENCE { INTEGER 0, SEQUENCE { OID algorithm, parameters }, OCTET STRING { the older form } }
 * </pre>
 */
final class PemKey {
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xa0;
    private static final byte[] VERSION_0 = {INTEGER, 1, 0};

    /** rsaEncryption, 1.2.840.113549.1.1.1, and the NULL that goes with it. */
    private static final byte[] RSA = {
        6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
    };

    /** id-ecPublicKey, 1.2.840.10045.2.1; the curve follows. */
    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private static final String[] ALGORITHMS = {"RSA", "EC", "EdDSA", "RSASSA-PSS"};

    private PemKey() {}

    /** The first private key of the file. */
    static PrivateKey read(Path file) throws IOException {
        for (PemBlock block : PemBlock.read("TLS key", file)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return key(file, block.der());
                }
                case "RSA PRIVATE KEY" -> {
                    return key(file, pkcs8(RSA, block.der()));
                }
                case "EC PRIVATE KEY" -> {
                    return key(file, pkcs8(join(EC, curve(file, block.der())), block.der()));
                }
                case "ENCRYPTED PRIVATE KEY" ->
                        throw new IOException(
                                "TLS key "
                                        + file
                                        + " is encrypted: `openssl pkey` writes it in the clear");
                default -> {
                    // Certificates and parameters may stand in the same file.
                }
            }
        }
        throw new IOException("TLS key " + file + " holds no private key");
    }

    private static PrivateKey key(Path file, byte[] pkcs8) throws IOException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException anotherAlgorithm) {
                // The next, then.
            } catch (GeneralSecurityException e) {
                throw new IOException("TLS key " + file + ": " + e.getMessage(), e);
            }
        }
        throw new IOException(
                "TLS key " + file + " is damaged, or neither an RSA, an EC nor an EdDSA key");
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] older) {
        byte[] body = join(VERSION_0, wrap(SEQUENCE, algorithm), wrap(OCTET_STRING, older));
        return wrap(SEQUENCE, body);
    }

    /** The OID of the curve, from ECPrivateKey { version, privateKey, [0] parameters, ... }. */
    private static byte[] curve(Path file, byte[] sec1) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(sec1);
        try {
            ByteBuffer in = element(all, SEQUENCE);
            element(in, INTEGER);
            element(in, OCTET_STRING);
            ByteBuffer parameters = element(in, PARAMETERS);
            byte[] oid = new byte[parameters.remaining()];
            parameters.get(oid);
            return oid;
        } catch (RuntimeException e) { // beyond the end, or another tag
            throw new IOException("TLS key " + file + " is damaged, or names no curve", e);
        }
    }

    /** The content of the next element, which must have that tag (X.690, 8.1). */
    private static ByteBuffer element(ByteBuffer in, int tag) {
        int found = in.get() & 0xff;
        if (found != tag) {
            throw new IllegalArgumentException("tag " + found + " instead of " + tag);
        }
        int length = in.get() & 0xff;
        if (length >= 0x80) {
            int lengthBytes = length & 0x7f;
            length = 0;
            for (int i = 0; i < lengthBytes; i++) {
                length = length << 8 | (in.get() & 0xff);
            }
        }
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        return content;
    }

    private static byte[] wrap(int tag, byte[] content) {
        int length = content.length;
        byte[] header =
                length < 0x80
                        ? new byte[] {(byte) tag, (byte) length}
                        : new byte[] {
                            (byte) tag,
                            (byte) 0x83,
                            (byte) (length >> 16),
                            (byte) (length >> 8),
                            (byte) length
                        };
        return join(header, content);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
