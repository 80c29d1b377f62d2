package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.config.ConfigLoader;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Devices alive whose time passes at another rate than the wall's. */
@Timeout(60)
class TimeScaleTest {
    private static final int READS = 25;
    private static final double READ_S = 0.04;
    private static final String CONF =
            """
            server { tcp { enabled = off } }
            drives {
              dvd {
                kind = optical, medium = "dvd+rw", speed = 16x, max_hw_sectors_kb = 128, command = 0ms
                read_access = 40ms, write_restart = 2ms, bus_rate = 60 MB/s
              }
            }
            devices {
              real { drive = dvd, packet { enabled = off } }
              fast { drive = dvd, packet { enabled = off }, time_scale = 10 }
            }
            """;

    @TempDir private Path folder;
    private final DeviceClock wall = DeviceClock.wall();
    private Daemon daemon;

    @BeforeEach
    void start() throws IOException {
        Path conf = Files.writeString(folder.resolve("test.conf"), CONF);
        daemon =
                Daemon.start(
                        ConfigLoader.load(conf, Map.of()),
                        new DaemonOptions(new RuntimeRoot(folder.resolve("r")), false, wall));
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    private ControlAnswer ask(ControlRequest request) throws IOException, RefusedException {
        Path folderOfDaemon = daemon.asOthersSeeIt().folder();
        return new ControlClient(folderOfDaemon.resolve("control.sock")).ask(request);
    }

    private ControlAnswer stat(String device) throws IOException, RefusedException {
        return ask(new ControlRequest.Stat(Optional.of(device))).objects("devices").getFirst();
    }

    /** Reads here and there, one after the other; how long that took by the wall. */
    private double replay(String device) throws IOException {
        Path socket = daemon.asOthersSeeIt().folder().resolve("nbd.sock");
        try (NbdProbe probe = new NbdProbe(socket, device)) {
            long begunNs = wall.nowNs();
            for (int i = 0; i < READS; i++) {
                probe.read((i % 2) * (1L << 30) + i * (8L << 20), 2048);
            }
            return (wall.nowNs() - begunNs) / 1e9;
        }
    }

    /** A burner's accesses take the same of its own time wherever they are made. */
    @Test
    void theSameTraceTakesATenthOfTheWallsTime() throws IOException, RefusedException {
        double real = replay("real");
        double fast = replay("fast");
        assertThat(real).isGreaterThanOrEqualTo(READS * READ_S);
        assertThat(fast).isGreaterThanOrEqualTo(READS * READ_S / 10);
        assertThat(real / fast).isBetween(2.5, 11.0);
        ControlAnswer stat = stat("fast");
        assertThat(stat.object("latencies_us").object("read_total").number("mean"))
                .isCloseTo(
                        stat("real").object("latencies_us").object("read_total").number("mean"),
                        within(1000.0));
        assertThat(stat.number("time_scale")).isEqualTo(10);
        assertThat(stat.number("device_time_s")).isGreaterThan(10 * (real + fast));
    }

    @Test
    void goesOnAtAnotherRateFromTheMomentItIsTuned() throws IOException, RefusedException {
        ControlAnswer before = stat("real");
        assertThat(before.object("settings").text("time_scale")).isEqualTo("1");
        ask(new ControlRequest.Tune("real", Map.of("time_scale", "100")));
        double quick = replay("real");
        assertThat(quick).isGreaterThanOrEqualTo(READS * READ_S / 100);
        ControlAnswer after = stat("real");
        assertThat(after.object("settings").text("time_scale")).isEqualTo("100");
        assertThat(after.number("device_time_s") - before.number("device_time_s"))
                .isGreaterThanOrEqualTo(READS * READ_S);
        byte[] queueFile =
                Files.readAllBytes(daemon.asOthersSeeIt().folder().resolve("real.queue"));
        assertThat(ByteBuffer.wrap(queueFile).order(ByteOrder.LITTLE_ENDIAN).getInt(48))
                .isEqualTo(100_000);
    }
}
