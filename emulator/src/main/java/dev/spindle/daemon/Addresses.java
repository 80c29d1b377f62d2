package dev.spindle.daemon;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Where the NBD server listens, in the words of those who connect.
 *
 * @param isTcpTls TCP clients must use TLS
 * @param isUnixTls clients of the unix sockets must
 */
record Addresses(
        List<InetSocketAddress> tcp, List<Path> unix, boolean isTcpTls, boolean isUnixTls) {
    Addresses {
        tcp = List.copyOf(tcp);
        unix = List.copyOf(unix);
    }

    /** NBD URIs (uri.md of the NBD specification). */
    List<String> uris(String export) {
        List<String> uris = new ArrayList<>();
        for (InetSocketAddress address : tcp) {
            String where = bracketed(host(address)) + ':' + address.getPort();
            uris.add((isTcpTls ? "nbds://" : "nbd://") + where + '/' + export);
        }
        for (Path path : unix) {
            String scheme = isUnixTls ? "nbds+unix" : "nbd+unix";
            uris.add(scheme + ":///" + export + "?socket=" + encoded(path));
        }
        return uris;
    }

    /** How root makes it a kernel block device. */
    String attachCommand(String export, int index, int blockBytes) {
        String where =
                tcp.isEmpty()
                        ? "-unix " + unix.stream().findFirst().map(Addresses::quoted).orElse("")
                        : host(tcp.getFirst()) + ' ' + tcp.getFirst().getPort();
        String tls = (tcp.isEmpty() ? isUnixTls : isTcpTls) ? " -x" : "";
        return "nbd-client "
                + where
                + " /dev/nbd"
                + index
                + " -N "
                + export
                + " -b "
                + blockBytes
                + tls;
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
