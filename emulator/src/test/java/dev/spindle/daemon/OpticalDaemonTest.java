package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.config.ConfigLoader;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A burner alive: NBD in front, live control beside it. A fast one, so that nobody waits long. */
@Timeout(60)
class OpticalDaemonTest {
    private static final String CONF =
            """
            server { tcp { enabled = off } }
            drives {
              dvd {
                kind = optical, medium = "dvd+rw", speed = 16x, max_hw_sectors_kb = 128
                read_access = 1ms, write_restart = 2ms, start_up = 3ms, bus_rate = 60 MB/s
              }
              cd = ${drives.dvd} { medium = cd-rw, speed = 52x }
            }
            devices {
              dvd { drive = dvd, size = 64 MiB, path = /dev/dvd, packet { wait = 1ms } }
              image { drive = cd, size = 64 MiB, store { type = file, path = cd.img } }
              blank { drive = cd, size = 64 MiB, disc { state = blank }, time_scale = 100 }
              slow { drive = dvd, size = 64 MiB, time_scale = 0.01 }
              bare { drive = dvd, size = 64 MiB, packet { enabled = off } }
            }
            """;
    private static final int EROFS_AS_NBD_SAYS_IT = 1;

    @TempDir private Path folder;

    private Daemon start() throws IOException {
        Path conf = Files.writeString(folder.resolve("test.conf"), CONF);
        RuntimeRoot root = new RuntimeRoot(folder.resolve("r"));
        return Daemon.start(
                ConfigLoader.load(conf, Map.of()),
                new DaemonOptions(root, false, DeviceClock.wall()));
    }

    private static NbdProbe connect(Daemon daemon, String export) throws IOException {
        return new NbdProbe(daemon.asOthersSeeIt().folder().resolve("nbd.sock"), export);
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static ControlAnswer stat(Daemon daemon, String device)
            throws IOException, RefusedException {
        ControlClient client = new ControlClient(daemon.asOthersSeeIt().controlSocket());
        return client.ask(new ControlRequest.Stat(Optional.of(device)))
                .objects("devices")
                .getFirst();
    }

    private static ControlAnswer tune(Daemon daemon, String device, Map<String, String> settings)
            throws IOException, RefusedException {
        ControlClient client = new ControlClient(daemon.asOthersSeeIt().controlSocket());
        return client.ask(new ControlRequest.Tune(device, settings)).object("settings");
    }

    @Test
    void writesSmallBlocksAnywhereAndReadsThemBack() throws IOException, RefusedException {
        try (Daemon daemon = start()) {
            for (String export : new String[] {"dvd", "image", "bare"}) {
                try (NbdProbe client = connect(daemon, export)) {
                    byte[] large = noise(300 * 2048);
                    byte[] small = noise(3 * 2048);
                    assertThat(client.write(5 * 2048, large)).isZero();
                    assertThat(client.write(100 * 2048, small)).isZero();
                    assertThat(client.flush()).isZero();
                    System.arraycopy(small, 0, large, 95 * 2048, small.length);
                    assertThat(client.read(5 * 2048, large.length)).isEqualTo(large);
                    assertThat(client.write(512, noise(512))).as("no whole block").isNotZero();
                }
            }
            ControlAnswer packet = stat(daemon, "dvd").object("packet");
            assertThat(packet.whole("stat/packets_started")).isPositive();
            assertThat(packet.whole("stat/kb_written")).isEqualTo(606);
            assertThat(packet.whole("stat/kb_read_gather")).isPositive();
            assertThat(packet.text("info"))
                    .contains("Writer dvd mapped to dvd:", "packet size:\t\t32kB", "i:8 ow:0");
            assertThat(stat(daemon, "image").object("packet").text("info"))
                    .contains("packet size:\t\t64kB", "link loss:\t\t7");
            assertThat(stat(daemon, "bare").has("packet")).isFalse();
        }
    }

    /** As the driver's file stat/reset did: what stands in its folder stat, and nothing else. */
    @Test
    void resetMakesTheDriversStatisticsZero() throws IOException, RefusedException {
        try (Daemon daemon = start();
                NbdProbe client = connect(daemon, "dvd")) {
            assertThat(client.write(0, noise(3 * 2048))).isZero();
            assertThat(client.flush()).isZero();
            ControlAnswer before = stat(daemon, "dvd").object("packet");
            assertThat(before.whole("stat/kb_written")).isEqualTo(6);
            assertThat(before.whole("partial_packets")).isOne();
            ControlAnswer answer =
                    new ControlClient(daemon.asOthersSeeIt().controlSocket())
                            .ask(new ControlRequest.Reset("dvd"));
            ControlAnswer after = answer.objects("devices").getFirst().object("packet");
            for (String name : after.fields().keySet()) {
                if (name.startsWith("stat/")) {
                    assertThat(after.whole(name)).as(name).isZero();
                }
            }
            assertThat(after.whole("partial_packets")).isOne();
            assertThat(client.write(0, noise(2 * 2048))).isZero();
            assertThat(stat(daemon, "dvd").object("packet").whole("stat/kb_written")).isEqualTo(4);
        }
    }

    @Test
    void aBlankDiscIsReadOnlyAndSaysWhy() throws IOException, RefusedException {
        try (Daemon daemon = start();
                NbdProbe client = connect(daemon, "blank")) {
            assertThat(client.write(0, noise(2048))).isEqualTo(EROFS_AS_NBD_SAYS_IT);
            assertThat(client.read(0, 2048)).containsOnly(0);
            ControlAnswer stat = stat(daemon, "blank");
            assertThat(stat.flag("read_only")).isTrue();
            assertThat(stat.object("packet").text("refusal")).startsWith("EROFS: ");
            assertThat(stat.text("description")).contains("not in fixed packets (EROFS)");
        }
    }

    @Test
    void tunesThePacketWriterAsTheDriverTookItsMarks() throws IOException, RefusedException {
        try (Daemon daemon = start()) {
            ControlAnswer tuned =
                    tune(
                            daemon,
                            "dvd",
                            Map.of(
                                    "packet/congestion_on", "20",
                                    "packet/policy", "flag",
                                    "packet/scheduler", "when_stuck",
                                    "packet/wait", "7ms"));
            assertThat(tuned.whole("packet/congestion_on")).isEqualTo(500);
            assertThat(tuned.whole("packet/congestion_off")).isEqualTo(400);
            assertThat(tuned.text("packet/policy")).isEqualTo("flag");
            assertThat(tuned.text("packet/scheduler")).isEqualTo("when_stuck");
            assertThat(tuned.text("packet/wait")).isEqualTo("7 ms");
            tuned = tune(daemon, "dvd", Map.of("packet/congestion_off", "50"));
            assertThat(tuned.whole("packet/congestion_off")).isEqualTo(100);
            tuned = tune(daemon, "dvd", Map.of("packet/congestion_on", "0"));
            assertThat(tuned.whole("packet/congestion_on")).isEqualTo(-1);
            assertThat(stat(daemon, "dvd").object("packet").text("info"))
                    .contains("write congestion marks:\toff=-1 on=-1");
        }
    }

    @Test
    void refusesWhatDoesNotSuitTheDevice() throws IOException {
        try (Daemon daemon = start()) {
            assertThatThrownBy(() -> tune(daemon, "bare", Map.of("packet/policy", "none")))
                    .hasMessageContaining("packet/policy: bare has no packet writer");
            assertThatThrownBy(() -> tune(daemon, "dvd", Map.of("queue/max_sectors_kb", "16")))
                    .hasMessageContaining("16 is less than a packet, allowed at least 32");
            assertThatThrownBy(() -> tune(daemon, "dvd", Map.of("drive/write_back", "off")))
                    .hasMessageContaining("has no cache");
        }
    }

    private static ControlAnswer disc(Daemon daemon, String device, String operation)
            throws IOException, RefusedException {
        Path socket = daemon.asOthersSeeIt().folder().resolve("control.sock");
        return new ControlClient(socket).ask(new ControlRequest.Disc(device, operation));
    }

    /** A FLUSH waits, as every command does, until the drive is done with the disc. */
    @Test
    void aBlankDiscIsFormattedAndThenWritten() throws IOException, RefusedException {
        try (Daemon daemon = start()) {
            try (NbdProbe before = connect(daemon, "blank")) {
                assertThat(before.write(0, noise(65536))).isEqualTo(EROFS_AS_NBD_SAYS_IT);
                ControlAnswer begun = disc(daemon, "blank", "format");
                assertThat(begun.number("takes_s")).isBetween(10.0, 10.5);
                assertThatThrownBy(() -> disc(daemon, "blank", "blank"))
                        .hasMessageContaining("busy with another operation");
            }
            try (NbdProbe waiting = connect(daemon, "blank")) {
                waiting.read(0, 2048);
            }
            byte[] data = noise(65536);
            Path socket = daemon.asOthersSeeIt().folder().resolve("control.sock");
            ControlAnswer stat =
                    new ControlClient(socket)
                            .ask(new ControlRequest.Stat(Optional.of("blank")))
                            .objects("devices")
                            .getFirst();
            assertThat(stat.flag("read_only")).isFalse();
            assertThat(stat.text("description")).doesNotContain("read-only");
            assertThat(stat.object("disc").text("state")).isEqualTo("formatted");
            try (NbdProbe after = connect(daemon, "blank")) {
                assertThat(after.write(0, data)).isZero();
                assertThat(after.flush()).isZero();
                assertThat(after.read(0, 65536)).isEqualTo(data);
            }
            assertThat(disc(daemon, "blank", "finalise").number("takes_s")).isBetween(2.0, 4.0);
        }
    }

    /** Which would take five minutes here. */
    @Test
    void stopsWithoutWaitingForAFormatToEnd() throws IOException, RefusedException {
        try (Daemon daemon = start()) {
            assertThat(disc(daemon, "slow", "format").number("takes_s")).isBetween(3.0, 4.0);
        }
    }

    @Test
    void saysWhatCanBeDoneToADiscAndWhatNot() throws IOException {
        try (Daemon daemon = start()) {
            assertThatThrownBy(() -> disc(daemon, "dvd", "melt"))
                    .hasMessageContaining(
                            "allowed format, quick-format, blank, quick-blank, finalise");
            assertThatThrownBy(() -> disc(daemon, "dvd", "blank"))
                    .hasMessageContaining("a DVD+RW knows no such operation");
            Path socket = daemon.asOthersSeeIt().folder().resolve("control.sock");
            var tune = new ControlRequest.Tune("dvd", Map.of("drive/speed", "12x"));
            assertThatThrownBy(() -> new ControlClient(socket).ask(tune))
                    .hasMessage("drive/speed: 12x is no speed of dvd, allowed 16x");
        }
    }
}
