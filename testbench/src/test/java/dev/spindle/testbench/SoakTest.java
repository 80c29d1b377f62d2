package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random clients for a while, on TCP in the clear and in TLS, and on the unix socket; with simple,
 * structured and extended replies. {@code make soak} runs it for five minutes, {@code make test}
 * for twenty seconds.
 */
class SoakTest {
    private static final int SECONDS = Integer.getInteger("spindle.soak.seconds", 20);
    private static final long SEED = Long.getLong("spindle.soak.seed", System.nanoTime());
    private static final int CLIENTS = 6;

    /** What the pools and the compiled code may still take after a third of the time. */
    private static final long FLAT_KIB = 64 << 10;

    @TempDir Path folder;

    /** As long as it is told to; the bound of other tests is no more than its usual time. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void randomClientsFindWhatTheyWroteAndMemoryStaysFlat() throws Exception {
        String replay = "make soak SECONDS=" + SECONDS + " SEED=" + SEED;
        System.out.println("soak: seed " + SEED + ", again: " + replay);
        Path conf = folder.resolve("soak.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/null.conf"
                devices { disk { drive = null, size = 64 MiB, store { type = memory } } }
                """
                        .formatted(Tools.home()));
        Certificates pki = Certificates.in(folder.resolve("pki"));
        try (Daemon daemon = serve(conf, pki)) {
            long startKib = daemon.residentKibWithoutGarbage();
            long endNs = System.nanoTime() + SECONDS * 1_000_000_000L;
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                List<SoakClient> all = new ArrayList<>();
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    SoakClient client = client(daemon, i, pki.clientContext());
                    all.add(client);
                    running.add(clients.submit(() -> liveUntil(client, endNs)));
                }
                long earlyKib = watch(daemon, running);
                for (Future<?> each : running) {
                    each.get();
                }
                long lateKib = daemon.residentKibWithoutGarbage();
                System.out.printf(
                        "soak: %d connections, %d requests; resident %d KiB at the start, %d KiB"
                                + " after a third, %d KiB at the end; %d descriptors%n",
                        all.stream().mapToLong(SoakClient::connections).sum(),
                        all.stream().mapToLong(SoakClient::requests).sum(),
                        startKib,
                        earlyKib,
                        lateKib,
                        daemon.descriptors());
                assertThat(lateKib - earlyKib).as(replay).isLessThan(FLAT_KIB);
            } catch (ExecutionException e) {
                throw new AssertionError(replay, e);
            }
            assertThat(daemon.stop()).as(daemon.said()).isZero();
        }
    }

    private Daemon serve(Path conf, Certificates pki) {
        List<String> settings = new ArrayList<>(List.of("--set", "server.tcp.tls=optional"));
        settings.addAll(List.of(pki.serverSettings()));
        return Daemon.serve(conf, folder, settings.toArray(String[]::new));
    }

    private SoakClient client(Daemon daemon, int part, SSLContext tls) {
        SocketAddress tcp =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), daemon.tcpPort());
        SocketAddress unix = UnixDomainSocketAddress.of(folder.resolve("nbd.sock"));
        return new SoakClient(SEED, part, tls, tcp, unix);
    }

    private static void liveUntil(SoakClient client, long endNs) {
        try {
            while (System.nanoTime() - endNs < 0) {
                client.live();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory when a third of the time has passed, or when a client failed. */
    private static long watch(Daemon daemon, List<Future<?>> running) throws Exception {
        try {
            running.getFirst().get(SECONDS * 1000L / 3, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            // The clients go on, as they should.
        }
        return daemon.residentKibWithoutGarbage();
    }
}
