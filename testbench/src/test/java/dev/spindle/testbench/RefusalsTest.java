package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input: one clear line each, a status other than zero, and nobody else disturbed. */
class RefusalsTest {
    @TempDir Path folder;
    private Path conf = Path.of("test.conf");

    @BeforeEach
    void writeConf() throws IOException {
        conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/null.conf"
                devices { disk { drive = null, size = 64 MiB, store { type = file, path = disk.img } } }
                """
                        .formatted(Tools.home()));
    }

    private Command.Outcome serve(String... options) {
        return Daemon.inRuntimeFolder(
                        Command.of(Tools.launcher(), "serve", conf.toString()).and(options), folder)
                .run();
    }

    private static void assertOneLine(Command.Outcome outcome, String... parts) {
        assertThat(outcome.status()).as(outcome.toString()).isNotZero();
        assertThat(outcome.errors().lines()).as(outcome.toString()).hasSize(1);
        assertThat(outcome.errors()).startsWith("spindle: ").contains(parts);
    }

    @Test
    void aPortThatIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            assertOneLine(serve("--port", port), "127.0.0.1:" + port, "in use");
        }
    }

    @Test
    void anImageThatAnotherDaemonHolds() {
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            assertOneLine(serve("--no-tcp"), "disk.img", "locked");
            assertThat(daemon.isAlive()).isTrue();
        }
    }

    @Test
    void anImageThatCannotBeMade() throws IOException {
        Files.writeString(conf, Files.readString(conf).replace("disk.img", "/proc/disk.img"));
        assertOneLine(serve("--no-tcp"), "/proc/disk.img");
    }

    @Test
    void aConfWithFaultsNamesFileLineKeyAndRange() throws IOException {
        Files.writeString(
                conf,
                Files.readString(conf).replace("size =", "queue { nr_requests = 2 }, size ="));
        assertOneLine(serve("--no-tcp"), "test.conf:2", "devices.disk.queue.nr_requests", "4 to");
    }

    @Test
    void anUnknownKey() throws IOException {
        Files.writeString(conf, Files.readString(conf).replace("size =", "sise ="));
        Command.Outcome outcome = serve("--no-tcp");
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.errors()).contains("test.conf:2", "sise");
    }

    @Test
    void aConfThatIsMissing() {
        conf = folder.resolve("missing.conf");
        assertOneLine(serve(), "missing.conf");
    }

    @Test
    void anUnknownDevice() {
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            assertOneLine(daemon.spindle("tune", "hdz", "nr_requests=8").run(), "hdz");
            assertOneLine(daemon.spindle("run", "--device", "hdz", "--", "true").run(), "hdz");
            assertOneLine(
                    daemon.spindle("tune", "disk", "nr_requests=1").run(), "nr_requests", "4 to");
            assertOneLine(daemon.spindle("tune", "disk", "nr_request=8").run(), "nr_request");
        }
    }

    @Test
    void noDaemonAtAll() {
        assertOneLine(
                Daemon.inRuntimeFolder(
                                Command.of(Tools.launcher(), "tune", "hda", "nr_requests=8"),
                                folder)
                        .run(),
                "no daemon is running");
    }

    /**
     * They hold the memory they were given; others still have their turn, and nobody is cut off.
     */
    @Test
    void manyWritesThatStopInTheMiddleDisturbNobody() throws IOException {
        Tools.require("nbdinfo", "qemu-io");
        List<SocketChannel> halves = new ArrayList<>();
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            for (int i = 0; i < 100; i++) {
                halves.add(halfAWriteOf32MiB());
            }
            Command.of("qemu-io", "-f", "raw")
                    .and("-c", "write -P 7 0 4M", "-c", "read -P 7 0 4M", daemon.uri("disk"))
                    .succeed();
            String stat = daemon.spindle("stat", "disk").succeed().output();
            assertThat(stat).contains("100 NBD connections now");
            for (SocketChannel half : halves) {
                half.close();
            }
            Command.of("nbdinfo", daemon.uri("disk")).succeed();
            assertThat(daemon.stop()).isZero();
            assertThat(daemon.said()).doesNotContain("ERROR");
        }
    }

    /** Named the old way, in 16 + 4 bytes: the server's greeting and answer need not be read. */
    private SocketChannel halfAWriteOf32MiB() throws IOException {
        var client = SocketChannel.open(StandardProtocolFamily.UNIX);
        client.connect(UnixDomainSocketAddress.of(folder.resolve("nbd.sock")));
        ByteBuffer bytes = ByteBuffer.allocate(4 + 16 + 4 + 28 + 4096);
        bytes.putInt(3);
        bytes.put("IHAVEOPT".getBytes(StandardCharsets.US_ASCII)).putInt(1).putInt(4);
        bytes.put("disk".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(0x25609513).putInt(1).putLong(0).putLong(0).putInt(32 << 20);
        client.write(bytes.clear());
        return client;
    }

    @Test
    void aConnectionThatSendsGarbageDisturbsNobody() throws IOException {
        Tools.require("nbdinfo");
        long seed = 11;
        var random = new SplittableRandom(seed);
        try (Daemon daemon = Daemon.serve(conf, folder)) {
            for (int i = 0; i < 50; i++) {
                byte[] garbage = new byte[1 + random.nextInt(4000)];
                random.nextBytes(garbage);
                try (var client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    client.connect(UnixDomainSocketAddress.of(folder.resolve("nbd.sock")));
                    client.write(ByteBuffer.wrap(garbage));
                }
            }
            try (var client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                client.connect(UnixDomainSocketAddress.of(folder.resolve("nbd.sock")));
                client.write(
                        ByteBuffer.wrap(
                                "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            }
            Command.of("nbdinfo", daemon.uri("disk")).succeed();
            assertThat(daemon.stop()).as("seed %d: %s", seed, daemon.said()).isZero();
        }
    }
}
