package dev.spindle.nbd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468): its label, and the bytes that stand in it in base 64. Text
 * around blocks is ignored, as openssl's own explanations are.
 */
final class PemBlock {
    private static final int MAX_FILE_BYTES = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile(
                    "-----BEGIN ([A-Z0-9 ]{1,64})-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private final String label;
    private final byte[] der;

    private PemBlock(String label, byte[] der) {
        this.label = label;
        this.der = der;
    }

    String label() {
        return label;
    }

    byte[] der() {
        return der.clone();
    }

    /** All blocks of the file, in order. {@code what} the file is begins the text of a failure. */
    static List<PemBlock> read(String what, Path file) throws IOException {
        String name = what + ' ' + file;
        Matcher matcher = BLOCK.matcher(text(name, file));
        List<PemBlock> blocks = new ArrayList<>();
        while (matcher.find()) {
            blocks.add(new PemBlock(matcher.group(1), decode(name, matcher.group(2))));
        }
        if (blocks.isEmpty()) {
            throw new IOException(name + " is no PEM file: there is no -----BEGIN ...----- in it");
        }
        return blocks;
    }

    private static String text(String name, Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(name + " is a folder");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw new IOException(name + " is longer than " + MAX_FILE_BYTES + " bytes");
            }
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException(name + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(name + " cannot be read: permission denied", e);
        }
    }

    private static byte[] decode(String name, String body) throws IOException {
        if (body.contains("ENCRYPTED")) {
            throw new IOException(name + " is encrypted: `openssl pkey` writes it in the clear");
        }
        try {
            return Base64.getDecoder().decode(body.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(name + " is damaged: " + e.getMessage(), e);
        }
    }
}
