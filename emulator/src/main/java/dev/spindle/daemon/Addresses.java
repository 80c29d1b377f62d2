package dev.spindle.daemon;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Where the NBD server listens, in the words of those who connect. */
record Addresses(Optional<InetSocketAddress> tcp, Optional<Path> unix) {
    /** NBD URIs (uri.md of the NBD specification). */
    List<String> uris(String export) {
        List<String> uris = new ArrayList<>();
        tcp.ifPresent(address ->
                uris.add(
                        "nbd://"
                                + bracketed(host(address))
                                + ':'
                                + address.getPort()
                                + '/'
                                + export));
        unix.ifPresent(path -> uris.add("nbd+unix:///" + export + "?socket=" + encoded(path)));
        return uris;
    }

    /** How root makes it a kernel block device. */
    String attachCommand(String export, int index, int blockBytes) {
        String where =
                tcp.map(address -> host(address) + ' ' + address.getPort())
                        .orElseGet(() -> "-unix " + unix.map(Addresses::quoted).orElse(""));
        return "nbd-client " + where + " /dev/nbd" + index + " -N " + export + " -b " + blockBytes;
    }

    /** Percent-encoded (RFC 3986), but for what needs it not. */
    private static String encoded(Path path) {
        StringBuilder text = new StringBuilder();
        for (byte each : path.toString().getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (each & 0xff);
            if (isPlain(character)) {
                text.append(character);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return text.toString();
    }

    /** As one word for a shell. */
    private static String quoted(Path path) {
        String text = path.toString();
        return text.chars().allMatch(Addresses::isPlain)
                ? text
                : "'" + text.replace("'", "'\\''") + "'";
    }

    private static boolean isPlain(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "/._-".indexOf(character) >= 0;
    }

    private static String host(InetSocketAddress address) {
        return address.getAddress().getHostAddress();
    }

    private static String bracketed(String host) {
        return host.contains(":") ? '[' + host + ']' : host;
    }
}
