package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a thousand connections cost the daemon that have done something and now do nothing. */
class IdleConnectionsTest {
    private static final int CONNECTIONS = 1000;
    private static final long MOST_KIB = 60 << 10;

    @TempDir Path folder;

    @Test
    void aThousandTakeLessThan60Mib() throws IOException {
        long plainKib = moreKib(null);
        System.out.println("1000 idle connections: " + plainKib + " KiB more");
        assertThat(plainKib).isLessThan(MOST_KIB);
    }

    /** Told, not judged: the JDK's TLS keeps its buffers. */
    @Test
    void aThousandInTlsAreServedToo() throws IOException {
        Certificates pki = Certificates.in(folder.resolve("pki"));
        System.out.println("1000 idle connections in TLS: " + moreKib(pki) + " KiB more");
    }

    private long moreKib(@Nullable Certificates pki) throws IOException {
        Path conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/null.conf"
                devices { disk { drive = null, size = 64 MiB, store { type = memory } } }
                """
                        .formatted(Tools.home()));
        List<String> settings = new ArrayList<>(List.of("--set", "server.tcp.tls=optional"));
        settings.addAll(pki == null ? List.of() : List.of(pki.serverSettings()));
        String[] none = {};
        try (Daemon daemon =
                Daemon.serve(conf, folder, pki == null ? none : settings.toArray(none))) {
            SSLContext context = pki == null ? null : pki.clientContext();
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), daemon.tcpPort());
            List<NbdClient> open = new ArrayList<>();
            try {
                open.add(used(address, context));
                long before = daemon.residentKib();
                while (open.size() <= CONNECTIONS) {
                    open.add(used(address, context));
                }
                long more = daemon.residentKib() - before;
                for (NbdClient each : open) {
                    use(each);
                }
                return more;
            } finally {
                for (NbdClient each : open) {
                    each.close();
                }
            }
        }
    }

    private static NbdClient used(InetSocketAddress address, @Nullable SSLContext tls)
            throws IOException {
        NbdClient client = NbdClient.greeted(address);
        if (tls != null) {
            client.startTls(tls);
        }
        client.choose(NbdClient.Replies.STRUCTURED, "disk");
        client.go("disk");
        use(client);
        return client;
    }

    private static void use(NbdClient client) throws IOException {
        byte[] data = new byte[4096];
        client.request(NbdClient.WRITE, 0, 1, 0, data.length);
        client.raw().write(data);
        client.request(NbdClient.READ, 0, 2, 0, data.length);
        client.flush();
        client.readReply().mustBeGood();
        client.readReply().mustBeGood();
    }
}
