package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random clients for a while, on TCP and the unix socket. {@code make soak} runs it for five
 * minutes, {@code make test} for twenty seconds.
 */
class SoakTest {
    private static final int SECONDS = Integer.getInteger("spindle.soak.seconds", 20);
    private static final long SEED = Long.getLong("spindle.soak.seed", System.nanoTime());
    private static final int CLIENTS = 6;

    /** What the heap and the pools may still take after a third of the time. */
    private static final long FLAT_KIB = 64 << 10;

    @TempDir Path folder;

    @Test
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
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            long endNs = System.nanoTime() + SECONDS * 1_000_000_000L;
            try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<Long>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    SoakClient client = client(daemon, i);
                    running.add(clients.submit(() -> liveUntil(client, endNs)));
                }
                long earlyKib = watch(daemon, running);
                long requests = 0;
                for (Future<Long> each : running) {
                    requests += each.get();
                }
                long lateKib = residentKib(daemon);
                System.out.printf(
                        "soak: %d requests, resident %d KiB after a third, %d KiB at the end, %d"
                                + " descriptors%n",
                        requests, earlyKib, lateKib, descriptors(daemon));
                assertThat(lateKib - earlyKib).as(replay).isLessThan(FLAT_KIB);
            } catch (ExecutionException e) {
                throw new AssertionError(replay, e);
            }
            assertThat(daemon.stop()).as(daemon.said()).isZero();
        }
    }

    private SoakClient client(Daemon daemon, int part) {
        SocketAddress tcp =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), daemon.tcpPort());
        SocketAddress unix = UnixDomainSocketAddress.of(folder.resolve("nbd.sock"));
        return new SoakClient(SEED, part, tcp, unix);
    }

    private static long liveUntil(SoakClient client, long endNs) throws IOException {
        while (System.nanoTime() - endNs < 0) {
            client.live();
        }
        return client.requests();
    }

    /** Resident memory when a third of the time has passed, or when a client failed. */
    private static long watch(Daemon daemon, List<Future<Long>> running) throws Exception {
        try {
            running.getFirst().get(SECONDS * 1000L / 3, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            // The clients go on, as they should.
        }
        return residentKib(daemon);
    }

    private static long residentKib(Daemon daemon) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + daemon.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private static long descriptors(Daemon daemon) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + daemon.pid() + "/fd"))) {
            return open.count();
        }
    }
}
