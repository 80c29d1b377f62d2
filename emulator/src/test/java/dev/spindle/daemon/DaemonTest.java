package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.config.ConfigLoader;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import dev.spindle.shm.ShimMap;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DaemonTest {
    private static final String CONF =
            """
            server { tcp { port = 0 } }
            drives {
              none { kind = null, max_hw_sectors_kb = 128 }
              disk {
                kind = disk, max_hw_sectors_kb = 128, rpm = 15000, heads = 2, head_switch = 0ms
                bus_rate = 1 GB/s, zones = [ { cylinders = 1000, sectors_per_track = 500 } ]
                seek { track_to_track = 0ms, average = 1ms, full_stroke = 1ms }
                cache { write_back = off }
              }
            }
            devices {
              fast { drive = none, size = 1 MiB }
              slow { drive = disk, size = 1 MiB, path = /dev/sda, store { type = file, path = slow.img } }
            }
            """;

    @TempDir private Path folder;

    private Daemon start(String rootName, Map<String, String> overrides) throws IOException {
        Path conf = Files.writeString(folder.resolve("test.conf"), CONF);
        RuntimeRoot root = new RuntimeRoot(folder.resolve(rootName));
        return Daemon.start(
                ConfigLoader.load(conf, overrides),
                new DaemonOptions(root, false, DeviceClock.wall()));
    }

    private Daemon start() throws IOException {
        return start("r", Map.of());
    }

    private static Path socket(Daemon daemon) {
        return daemon.asOthersSeeIt().folder().resolve("nbd.sock");
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Test
    void takesEveryLimitThatTheConfFileAllows() throws IOException {
        Map<String, String> least =
                Map.of(
                        "server.limits.handshake_deadline", "100 ms",
                        "server.limits.max_options", "1",
                        "server.limits.max_request", "1 MiB",
                        "server.limits.requests_in_flight", "1",
                        "server.limits.bytes_in_flight", "1 MiB",
                        "server.limits.connections", "1");
        Map<String, String> most =
                Map.of(
                        "server.limits.handshake_deadline", "600 s",
                        "server.limits.max_options", "4096",
                        "server.limits.max_request", "64 MiB",
                        "server.limits.requests_in_flight", "65536",
                        "server.limits.bytes_in_flight", "1 GiB",
                        "server.limits.connections", "65536");
        start("least", least).close();
        start("most", most).close();
    }

    @Test
    void servesItsDevicesAndSaysWhere() throws IOException {
        try (Daemon daemon = start()) {
            ServedDevice slow = daemon.devices().get(1);
            assertThat(slow.name()).isEqualTo("slow");
            assertThat(slow.description()).isEqualTo("1 MiB  disk, " + folder.resolve("slow.img"));
            assertThat(slow.path()).isEqualTo("/dev/sda");
            assertThat(slow.addresses().get(0)).matches("nbd://127\\.0\\.0\\.1:[1-9]\\d*/slow");
            assertThat(slow.addresses().get(1))
                    .isEqualTo("nbd+unix:///slow?socket=" + socket(daemon));
            assertThat(slow.attachCommand())
                    .matches("nbd-client 127\\.0\\.0\\.1 \\d+ /dev/nbd1 -N slow -b 512");
            for (String export : new String[] {"fast", "slow"}) {
                try (NbdProbe client = new NbdProbe(socket(daemon), export)) {
                    byte[] data = noise(65536);
                    assertThat(client.exportBytes).isEqualTo(1 << 20);
                    assertThat(client.write(4096, data)).isZero();
                    assertThat(client.read(4096, data.length)).isEqualTo(data);
                }
            }
        }
    }

    @Test
    void isFoundByItsFolderAndTunedThere() throws IOException, RefusedException {
        try (Daemon daemon = start()) {
            RuntimeRoot root = new RuntimeRoot(folder.resolve("r"));
            LiveDaemon found = root.live().getFirst();
            assertThat(found).isEqualTo(daemon.asOthersSeeIt());
            ShimMap.Line line = ShimMap.read(found.shimMap()).only("slow").lines().getFirst();
            assertThat(line.devicePath()).isEqualTo("/dev/sda");
            assertThat(line.nbdSocket()).isEqualTo(socket(daemon));
            ControlClient client = new ControlClient(found.controlSocket());
            client.ask(new ControlRequest.Tune("slow", Map.of("queue/nr_requests", "99")));
            ByteBuffer queue =
                    ByteBuffer.wrap(Files.readAllBytes(line.queueFile()))
                            .order(ByteOrder.LITTLE_ENDIAN);
            assertThat(queue.getInt(16)).isEqualTo(99);
            assertThat(queue.getInt(44)).isEqualTo((int) ProcessHandle.current().pid());
            ControlAnswer stat = client.ask(new ControlRequest.Stat(Optional.empty()));
            assertThat(stat.objects("devices")).hasSize(2);
            assertThat(stat.object("server").object("nbd").fields())
                    .containsKeys("connections_opened", "requests_read", "requests_write_zeroes");
        }
    }

    @Test
    void leavesNothingBehindAndEndsItsSessions() throws IOException {
        Daemon daemon = start();
        try (NbdProbe client = new NbdProbe(socket(daemon), "fast")) {
            client.write(0, noise(512));
            daemon.close();
            assertThat(client.isAtEnd()).isTrue();
        }
        daemon.close();
        assertThat(folder.resolve("r")).isEmptyDirectory();
    }

    @Test
    void keepsWhatWasWrittenToAnImage() throws IOException {
        byte[] data = noise(4096);
        try (Daemon daemon = start();
                NbdProbe client = new NbdProbe(socket(daemon), "slow")) {
            client.write(8192, data);
            client.flush();
        }
        byte[] image = Files.readAllBytes(folder.resolve("slow.img"));
        assertThat(Arrays.copyOfRange(image, 8192, 8192 + 4096)).isEqualTo(data);
        try (Daemon daemon = start();
                NbdProbe client = new NbdProbe(socket(daemon), "slow")) {
            assertThat(client.read(8192, 4096)).isEqualTo(data);
        }
    }

    @Test
    void refusesAnImageThatIsInUseAndDisturbsNobody() throws IOException {
        try (Daemon daemon = start()) {
            assertThatThrownBy(() -> start("other", Map.of()))
                    .hasMessage(
                            "device slow: image "
                                    + folder.resolve("slow.img")
                                    + " is locked: another process uses it");
            assertThat(folder.resolve("other")).isEmptyDirectory();
            try (NbdProbe client = new NbdProbe(socket(daemon), "slow")) {
                assertThat(client.read(0, 512)).hasSize(512);
            }
        }
    }

    @Test
    void refusesAPortThatIsTakenAndGivesBackTheImage() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> start("r", Map.of("server.tcp.port", "" + port)))
                    .hasMessage("cannot listen on 127.0.0.1:" + port + ": address already in use");
        }
        assertThat(folder.resolve("r")).isEmptyDirectory();
        start().close();
    }

    @Test
    void listensOnTheSocketItIsToldAndOnNoOther() throws IOException {
        Path socket = folder.resolve("own.sock");
        Map<String, String> overrides =
                Map.of("server.unix.path", socket.toString(), "server.tcp.enabled", "off");
        try (Daemon daemon = start("r", overrides)) {
            assertThat(socket(daemon)).doesNotExist();
            assertThat(daemon.devices().getFirst().addresses())
                    .containsExactly("nbd+unix:///fast?socket=" + socket);
            assertThat(daemon.devices().getFirst().attachCommand())
                    .isEqualTo("nbd-client -unix " + socket + " /dev/nbd0 -N fast -b 512");
            try (NbdProbe client = new NbdProbe(socket, "fast")) {
                assertThat(client.read(0, 512)).containsOnly(0);
            }
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void hasAnEmptyMapWithoutAUnixSocket() throws IOException {
        try (Daemon daemon = start("r", Map.of("server.unix.enabled", "off"))) {
            assertThat(ShimMap.read(daemon.asOthersSeeIt().shimMap()).lines()).isEmpty();
        }
    }
}
