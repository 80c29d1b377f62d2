package dev.spindle.config;

import java.util.List;

/** The keys of the section {@code server}, but for its limits. */
final class ServerKeys {
    static final String TCP = "server.tcp";
    static final String UNIX = "server.unix";
    static final String TLS = "server.tls";

    private static final Text WHO =
            Text.matching(
                    "keep|[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}", "keep, a name or a number", "keep");

    static final Key<Boolean> TCP_ENABLED =
            Key.of(TCP + ".enabled", new Flag(), true, "Listens on TCP.");
    static final Key<List<String>> TCP_HOST =
            Key.of(
                    TCP + ".host",
                    new HostList(),
                    List.of("127.0.0.1"),
                    "The addresses to listen on; beyond the loopback range only with tls = required"
                            + " or insecure = on.");
    static final Key<Integer> TCP_PORT =
            Key.of(
                    TCP + ".port",
                    WholeNumber.from(0, 65535),
                    10809,
                    "The port; 0 picks a free one.");
    static final Key<TlsUse> TCP_TLS =
            Key.of(
                    TCP + ".tls",
                    Choice.of(TlsUse.class),
                    TlsUse.OFF,
                    "off refuses TLS, optional leaves it to the client, required serves nothing"
                            + " without.");
    static final Key<Boolean> TCP_INSECURE =
            Key.of(
                    TCP + ".insecure",
                    new Flag(),
                    false,
                    "Accepts that without TLS there is neither encryption nor log-in: whoever"
                            + " reaches the port reads and writes every device.");
    static final Key<Boolean> UNIX_ENABLED =
            Key.of(UNIX + ".enabled", new Flag(), true, "Listens on a unix socket.");
    static final Key<String> UNIX_PATH =
            Key.of(
                    UNIX + ".path",
                    Text.matching(
                            "auto|/[^\\p{Cntrl}]{1,106}",
                            "auto or an absolute path of at most 107 characters",
                            "auto"),
                    "auto",
                    "The socket file; auto leaves its place to the daemon.");
    static final Key<Integer> UNIX_MODE =
            Key.of(UNIX + ".mode", new FileMode(), 0600, "The socket file's permissions.");
    static final Key<String> UNIX_OWNER =
            Key.of(UNIX + ".owner", WHO, "keep", "Its owner; keep is who runs the daemon.");
    static final Key<String> UNIX_GROUP =
            Key.of(UNIX + ".group", WHO, "keep", "Its group; keep is that of who runs the daemon.");
    static final Key<TlsUse> UNIX_TLS =
            Key.of(
                    UNIX + ".tls",
                    Choice.of(TlsUse.class),
                    TlsUse.OFF,
                    "As on TCP; with required, programs under the shim have no way in.");

    private static final Text FILE = Text.matching("[^\\p{Cntrl}]{1,4096}", "a path", "x");

    static final Key<String> TLS_CERTIFICATE =
            Key.derived(
                    TLS + ".certificate",
                    FILE,
                    "none",
                    "A PEM file with the server's certificate, and behind it those of the"
                            + " authorities in between.");
    static final Key<String> TLS_KEY =
            Key.derived(
                    TLS + ".key", FILE, "none", "A PEM file with its private key, not encrypted.");
    static final Key<String> TLS_CLIENT_CA =
            Key.derived(
                    TLS + ".client_ca",
                    FILE,
                    "none",
                    "A PEM file with authorities; if there, a client must show a certificate that"
                            + " one of them has signed.");

    private ServerKeys() {}

    static List<Key<?>> all() {
        return List.of(
                TCP_ENABLED,
                TCP_HOST,
                TCP_PORT,
                TCP_TLS,
                TCP_INSECURE,
                UNIX_ENABLED,
                UNIX_PATH,
                UNIX_MODE,
                UNIX_OWNER,
                UNIX_GROUP,
                UNIX_TLS,
                TLS_CERTIFICATE,
                TLS_KEY,
                TLS_CLIENT_CA);
    }
}
