package dev.spindle.disksim;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A parameter file cut into words and the signs {@code { } [ ] = ,}. A {@code #} begins a comment
 * that ends with its line.
 */
final class Tokens {
    private static final String SIGNS = "{}[]=,";
    private static final long MAX_BYTES = 16 << 20;

    private final Path file;
    private final String text;
    private int at;
    private int line = 1;
    private @Nullable String peeked;
    private int peekedLine;

    private Tokens(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    static Tokens open(Path file) throws DiskSimException {
        return new Tokens(file, read(file));
    }

    static String read(Path file) throws DiskSimException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new DiskSimException(
                        file + ": " + Files.size(file) + " bytes, more than " + MAX_BYTES);
            }
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            String why = Files.exists(file) ? "cannot be read" : "no such file";
            throw new DiskSimException(file + ": " + why);
        }
    }

    static boolean isSign(@Nullable String token) {
        return token != null && token.length() == 1 && SIGNS.contains(token);
    }

    Place place() {
        peek();
        return new Place(file, peekedLine);
    }

    /** The next word or sign without taking it; null at the end. */
    @Nullable String peek() {
        if (peeked == null) {
            skipBlanks();
            peekedLine = line;
            peeked = at == text.length() ? null : scan();
        }
        return peeked;
    }

    @Nullable String take() {
        String token = peek();
        peeked = null;
        return token;
    }

    void expect(String sign, String where) throws DiskSimException {
        Place place = place();
        String token = take();
        if (!sign.equals(token)) {
            throw DiskSimException.at(
                    place, "expected " + sign + " " + where + ", found " + named(token));
        }
    }

    static String named(@Nullable String token) {
        return token == null ? "the end of the file" : "'" + token + "'";
    }

    private void skipBlanks() {
        boolean isComment = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                line++;
                isComment = false;
            } else if (c == '#') {
                isComment = true;
            } else if (!isComment && !Character.isWhitespace(c)) {
                return;
            }
            at++;
        }
    }

    private String scan() {
        int from = at;
        char first = text.charAt(at++);
        if (SIGNS.indexOf(first) >= 0) {
            return text.substring(from, at);
        }
        if (first == '"') {
            int close = text.indexOf('"', at);
            int end = close < 0 ? text.length() : close;
            String quoted = text.substring(at, end);
            line += (int) quoted.chars().filter(c -> c == '\n').count();
            at = Math.min(text.length(), end + 1);
            return quoted;
        }
        while (at < text.length() && isWordPart(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private static boolean isWordPart(char c) {
        return !Character.isWhitespace(c) && c != '#' && SIGNS.indexOf(c) < 0;
    }
}
