package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Client processes that are killed at a random moment (doomed_client.py): what was acknowledged is
 * there, half a write is not, and another client of the device sees nothing of it.
 */
class KilledClientTest {
    private static final long SEED = Long.getLong("spindle.killed.seed", System.nanoTime());
    private static final int DOOMED = 4;
    private static final int PART_BYTES = 4 << 20;
    private static final int HALF_AT = 3 << 20;
    private static final int HALF_BYTES = 64 << 10;
    private static final int POLLS = 3000;
    private static final int POLL_MS = 10;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "unix, memory, working", "unix, memory, half", "unix, memory, unread",
        "tcp, memory, working", "tcp, memory, half", "tcp, memory, unread",
        "unix, file, working", "tcp, file, half"
    })
    void leavesWhatWasAcknowledgedAndDisturbsNobody(String transport, String store, String end)
            throws Exception {
        Tools.require("python3");
        String replay = "KilledClientTest: -Dspindle.killed.seed=" + SEED;
        System.out.println(replay);
        String path = store.equals("file") ? ", path = disk.img" : "";
        Path conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/null.conf"
                devices { disk { drive = null, size = 32 MiB, store { type = %s%s } } }
                """
                        .formatted(Tools.home(), store, path));
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            int port = daemon.tcpPort();
            boolean isTcp = transport.equals("tcp");
            String address = isTcp ? String.valueOf(port) : folder + "/nbd.sock";
            SocketAddress there =
                    isTcp
                            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                            : UnixDomainSocketAddress.of(address);
            AtomicBoolean isOver = new AtomicBoolean();
            try (ExecutorService other = Executors.newSingleThreadExecutor();
                    NbdClient polite = transmitting(there)) {
                Future<Long> work = other.submit(() -> writeAndRead(polite, isOver));
                long before = daemon.descriptors();
                for (int i = 0; i < DOOMED; i++) {
                    killOne(address, there, i, end, replay);
                }
                isOver.set(true);
                assertThat(work.get(30, TimeUnit.SECONDS)).as(replay).isPositive();
                awaitDescriptors(daemon, before);
            }
            assertThat(daemon.stop()).as(daemon.said()).isZero();
        }
    }

    private static NbdClient transmitting(SocketAddress there) throws IOException {
        NbdClient client = NbdClient.greeted(there);
        client.go("disk");
        return client;
    }

    /** The client that must notice nothing, in the last part of the device. */
    private static long writeAndRead(NbdClient client, AtomicBoolean isOver) {
        SplittableRandom random = new SplittableRandom(SEED);
        long rounds = 0;
        try {
            while (!isOver.get()) {
                long at = (long) DOOMED * PART_BYTES + 512L * random.nextInt(1024);
                byte[] data = new byte[512 * (1 + random.nextInt(64))];
                random.nextBytes(data);
                client.request(NbdClient.WRITE, 0, 1, at, data.length);
                client.raw().write(data);
                client.flush();
                client.readReply().mustBeGood();
                assertThat(read(client, at, data.length)).isEqualTo(data);
                rounds++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rounds;
    }

    private static byte[] read(NbdClient client, long at, int length) throws IOException {
        client.request(NbdClient.READ, 0, 2, at, length);
        client.flush();
        NbdClient.Reply reply = client.readReply();
        reply.mustBeGood();
        return reply.data();
    }

    private void killOne(String address, SocketAddress there, int part, String end, String replay)
            throws Exception {
        SplittableRandom random = new SplittableRandom(SEED + part);
        long base = (long) part * PART_BYTES;
        Path said = folder.resolve("said-" + part);
        Path errors = folder.resolve("errors-" + part);
        Process process =
                Command.of("/usr/bin/python3", script(), address, "disk", String.valueOf(base))
                        .and(String.valueOf(random.nextInt(1 << 30)), end)
                        .start(said, errors);
        try {
            int lines = end.equals("working") ? 1 + random.nextInt(200) : Integer.MAX_VALUE;
            awaitLines(process, said, errors, lines, end);
        } finally {
            process.destroyForcibly().waitFor(); // SIGKILL
        }
        List<String> acknowledged =
                Files.readAllLines(said).stream().filter(line -> line.contains(" ")).toList();
        assertThat(acknowledged).as(replay).isNotEmpty();
        try (NbdClient client = transmitting(there)) {
            for (String each : acknowledged) {
                String[] words = each.split(" ", -1);
                long at = Long.parseLong(words[0]);
                byte[] data = read(client, at, Integer.parseInt(words[1]));
                assertThat(data).as(replay).isEqualTo(filled(data.length, words[2]));
            }
            assertThat(read(client, base + HALF_AT, HALF_BYTES))
                    .as(replay)
                    .isEqualTo(new byte[HALF_BYTES]);
        }
    }

    private static String script() {
        return Tools.home().resolve("testbench/src/test/resources/doomed_client.py").toString();
    }

    private static byte[] filled(int length, String number) {
        ByteBuffer data = ByteBuffer.allocate(length);
        while (data.hasRemaining()) {
            data.putLong(Long.parseLong(number));
        }
        return data.array();
    }

    private static void awaitLines(Process process, Path said, Path errors, int lines, String end)
            throws Exception {
        for (int i = 0; i < POLLS; i++) {
            List<String> all = Files.readAllLines(said);
            if (all.size() >= lines || all.contains(end)) {
                return;
            }
            assertThat(process.waitFor(POLL_MS, TimeUnit.MILLISECONDS))
                    .as(() -> "ended by itself: " + readable(errors))
                    .isFalse();
        }
        throw new AssertionError("said too little: " + Files.readString(said));
    }

    private static String readable(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the killed had open in the daemon is closed again. */
    private static void awaitDescriptors(Daemon daemon, long most) throws Exception {
        long open = daemon.descriptors();
        for (int i = 0; i < POLLS && open > most; i++) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            open = daemon.descriptors();
        }
        assertThat(open).isLessThanOrEqualTo(most);
    }
}
