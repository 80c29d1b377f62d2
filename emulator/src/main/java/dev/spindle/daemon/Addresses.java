package dev.spindle.daemon;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
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
        unix.ifPresent(path -> uris.add("nbd+unix:///" + export + "?socket=" + path));
        return uris;
    }

    /** How root makes it a kernel block device. */
    String attachCommand(String export, int index, int blockBytes) {
        String where =
                tcp.map(address -> host(address) + ' ' + address.getPort())
                        .orElseGet(() -> "-unix " + unix.map(Path::toString).orElse(""));
        return "nbd-client " + where + " /dev/nbd" + index + " -N " + export + " -b " + blockBytes;
    }

    private static String host(InetSocketAddress address) {
        return address.getAddress().getHostAddress();
    }

    private static String bracketed(String host) {
        return host.contains(":") ? '[' + host + ']' : host;
    }
}
