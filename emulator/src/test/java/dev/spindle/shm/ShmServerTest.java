package dev.spindle.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.config.ConfigLoader;
import dev.spindle.daemon.Daemon;
import dev.spindle.daemon.DaemonOptions;
import dev.spindle.daemon.RuntimeRoot;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A daemon and processes that share memory with it, good ones and bad. */
@Timeout(60)
class ShmServerTest {
    private static final String CONF =
            """
            server { tcp { enabled = off } }
            drives { none { kind = null, max_hw_sectors_kb = 128 } }
            devices {
              fast { drive = none, size = 1 MiB }
              fixed { drive = none, size = 1 MiB, read_only = on }
            }
            """;
    private static final int PAGE = ChannelLayout.PAGE_BYTES;

    @TempDir private Path folder;

    private Daemon start(Map<String, String> overrides) throws IOException {
        Path conf = Files.writeString(folder.resolve("test.conf"), CONF);
        Map<String, String> all = new HashMap<>(overrides);
        all.putIfAbsent("server.shm.path", Files.createDirectories(shm()).toString());
        return Daemon.start(
                ConfigLoader.load(conf, all),
                new DaemonOptions(new RuntimeRoot(folder.resolve("r")), false, DeviceClock.wall()));
    }

    private Path shm() {
        return folder.resolve("shm");
    }

    private static Path place(Daemon daemon) {
        return daemon.asOthersSeeIt().folder();
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private List<String> filesOf(String prefix) throws IOException {
        try (Stream<Path> all = Files.walk(shm())) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .toList();
        }
    }

    @Test
    void whatOneProcessWritesAnotherReads() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe writer = new ShmProbe(place(daemon), "fast");
                ShmProbe reader = new ShmProbe(place(daemon), "fast")) {
            assertThat(writer.capacityBytes).isEqualTo(1 << 20);
            assertThat(writer.write(8192, noise(65536))).isZero();
            assertThat(writer.run(ChannelLayout.COMMAND_FLUSH, 0, 0)).isZero();
            assertThat(reader.read(8192, 65536)).isEqualTo(noise(65536));
            assertThat(reader.run(ChannelLayout.COMMAND_DISCARD, 8192, 4096)).isZero();
            assertThat(reader.run(ChannelLayout.COMMAND_WRITE_ZEROES, 8192, 4096)).isZero();
            assertThat(writer.read(8192, 4096)).isEqualTo(new byte[4096]);
            assertThat(writer.creditsTaken(SharedPool.READS)).isZero();
            assertThat(writer.creditsTaken(SharedPool.WRITES)).isZero();
        }
    }

    @Test
    void theDeviceRefusesWithItsErrnoAndTheProcessGoesOn() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe fast = new ShmProbe(place(daemon), "fast");
                ShmProbe fixed = new ShmProbe(place(daemon), "fixed")) {
            assertThat(fixed.write(0, new byte[512])).isEqualTo(1);
            assertThat(fast.write(1 << 20, new byte[512])).isEqualTo(28);
            assertThat(fast.run(ChannelLayout.COMMAND_READ, 1 << 20, 512)).isEqualTo(5);
            assertThat(fast.run(ChannelLayout.COMMAND_READ, 100, 512)).isEqualTo(5);
            assertThat(fast.run(ChannelLayout.COMMAND_DISCARD, -4096, 4096)).isEqualTo(5);
            assertThat(fast.write(0, new byte[512])).isZero();
        }
    }

    @Test
    void aDeadProcesssPublishedWritesLand() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe reader = new ShmProbe(place(daemon), "fast")) {
            ShmProbe dies = new ShmProbe(place(daemon), "fast");
            dies.fields.putBytes(ShmProbe.dataAt(3), noise(PAGE));
            dies.takeCredit(SharedPool.WRITES);
            dies.publish(ChannelLayout.COMMAND_WRITE, 0, 4096, PAGE, 0, 3);
            dies.close();
            byte[] found = reader.read(4096, PAGE);
            while (found[0] == 0 && found[1] == 0) {
                found = reader.read(4096, PAGE);
            }
            assertThat(found).isEqualTo(noise(PAGE));
        }
    }

    @Test
    void aDeadProcesssCreditsComeBack() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe lives = new ShmProbe(place(daemon), "fast")) {
            ShmProbe dies = new ShmProbe(place(daemon), "fast");
            for (int i = 0; i < 100; i++) {
                dies.takeCredit(i % 3 == 0 ? SharedPool.READS : SharedPool.WRITES);
            }
            lives.takeCredit(SharedPool.WRITES);
            dies.close();
            while (lives.creditsTaken(SharedPool.WRITES) != 1
                    || lives.creditsTaken(SharedPool.READS) != 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** What no shim would ever write. */
    enum Breach {
        TAIL_FAR_AHEAD,
        SLOT_OUT_OF_RANGE,
        SLOT_BUSY,
        FLAGS,
        COMMAND,
        LENGTH_ZERO,
        LENGTH_TOO_LONG,
        PAGE_OUTSIDE,
        PAGE_NEGATIVE,
        NO_CREDIT,
        LETTER;

        void commit(ShmProbe probe) throws IOException {
            int read = ChannelLayout.COMMAND_READ;
            if (this != NO_CREDIT) {
                probe.takeCredit(SharedPool.READS);
                probe.takeCredit(SharedPool.READS);
            }
            switch (this) {
                case TAIL_FAR_AHEAD ->
                        probe.fields.putIntVolatile(ChannelLayout.SUBMISSION_TAIL_OFFSET, 1 << 20);
                case SLOT_OUT_OF_RANGE -> probe.publish(read, 0, 0, PAGE, ChannelLayout.SLOTS, 0);
                case SLOT_BUSY -> {
                    probe.publish(read, 0, 0, PAGE, 5, 0);
                    probe.publish(read, 0, 0, PAGE, 5, 0);
                }
                case FLAGS -> probe.publish(read, 0x80, 0, PAGE, 0, 0);
                case COMMAND -> probe.publish(2, 0, 0, PAGE, 0, 0);
                case LENGTH_ZERO -> probe.publish(read, 0, 0, 0, 0, 0);
                case LENGTH_TOO_LONG -> probe.publish(read, 0, 0, (4 << 20) + 512, 0, 0);
                case PAGE_OUTSIDE -> probe.publish(read, 0, 0, 2 * PAGE, 0, 1023);
                case PAGE_NEGATIVE -> probe.publish(read, 0, 0, PAGE, 0, -1);
                case NO_CREDIT -> probe.publish(read, 0, 0, PAGE, 0, 0);
                case LETTER -> probe.say('X');
            }
            if (this != LETTER) {
                probe.ring();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProcessThatBreaksTheRulesIsCutOffAlone(Breach breach) throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe good = new ShmProbe(place(daemon), "fast");
                ShmProbe bad = new ShmProbe(place(daemon), "fast")) {
            assertThat(bad.write(0, noise(PAGE))).isZero();
            breach.commit(bad);
            bad.awaitHangUp();
            assertThat(good.read(0, PAGE)).isEqualTo(noise(PAGE));
            assertThat(bad.fields.getIntVolatile(ChannelLayout.STATE_OFFSET))
                    .isEqualTo(ChannelLayout.STATE_ENDED);
            while (good.creditsTaken(SharedPool.READS) != 0) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, ChannelLayout.ARENA_OFFSET})
    void aProcessThatCutsItsFileShortIsCutOffAlone(long bytesLeft) throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe good = new ShmProbe(place(daemon), "fast");
                ShmProbe bad = new ShmProbe(place(daemon), "fast")) {
            assertThat(bad.write(0, noise(PAGE))).isZero();
            bad.takeCredit(SharedPool.WRITES);
            bad.publish(ChannelLayout.COMMAND_WRITE, 0, 0, PAGE, 3, 1);
            bad.file.truncate(bytesLeft);
            bad.say('B');
            if (bytesLeft == 0) {
                bad.awaitHangUp();
            } else {
                assertThat(bad.await()).isEqualTo(5);
            }
            assertThat(good.read(0, PAGE)).isEqualTo(noise(PAGE));
        }
    }

    @Test
    void aPoolCountThatIsSpoiltIsSetRight() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe probe = new ShmProbe(place(daemon), "fast")) {
            probe.takeCredit(SharedPool.WRITES);
            long word = probe.pool.getLongVolatile(128);
            probe.pool.putLongVolatile(128, word & ~SharedPool.COUNT_MASK);
            probe.publish(ChannelLayout.COMMAND_FLUSH, 0, 0, 0, 1, 0);
            probe.ring();
            assertThat(probe.await()).isZero();
            assertThat(probe.creditsTaken(SharedPool.WRITES)).isZero();
        }
    }

    @Test
    void theFileHasNoNameOnceItIsMappedAndNothingIsLeftInTheEnd() throws IOException {
        try (Daemon daemon = start(Map.of());
                ShmProbe probe = new ShmProbe(place(daemon), "fast")) {
            assertThat(probe.write(0, noise(PAGE))).isZero();
            while (Files.exists(probe.channelPath)) {
                Thread.onSpinWait();
            }
            assertThat(filesOf("fast")).containsExactly("fast.pool");
        }
        try (Stream<Path> left = Files.list(shm())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void itsFilesAreThisUsersAlone() throws IOException {
        try (Daemon _ = start(Map.of());
                Stream<Path> all = Files.walk(shm()).skip(1)) {
            for (Path each : all.toList()) {
                if (!each.getFileName().toString().equals("lock")) {
                    String expected = Files.isDirectory(each) ? "rwx------" : "rw-------";
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .as(each.toString())
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void anArenaGrowsWhenAskedUpToItsLimit() throws IOException {
        try (Daemon daemon = start(Map.of("server.shm.arena", "8 MiB"));
                ShmProbe probe = new ShmProbe(place(daemon), "fast")) {
            assertThat(probe.arenaBytes()).isEqualTo(4 << 20);
            probe.say('G');
            while (probe.arenaBytes() != 8 << 20) {
                Thread.onSpinWait();
            }
            assertThat(probe.arenaLimitBytes()).isEqualTo(8 << 20);
            probe.takeCredit(SharedPool.READS);
            probe.publish(ChannelLayout.COMMAND_READ, 0, 0, PAGE, 0, 2047);
            probe.ring();
            assertThat(probe.await()).isZero();
        }
    }

    @Test
    void anArenaThatCannotGrowSaysSo() throws IOException {
        Map<String, String> tight =
                Map.of("server.shm.arena", "8 MiB", "server.shm.memory", "8 MiB");
        try (Daemon daemon = start(tight);
                ShmProbe probe = new ShmProbe(place(daemon), "fast");
                ShmProbe other = new ShmProbe(place(daemon), "fast")) {
            probe.say('G');
            while (probe.arenaLimitBytes() != 4 << 20) {
                Thread.onSpinWait();
            }
            assertThat(other.write(0, noise(PAGE))).isZero();
            assertThatThrownBy(() -> new ShmProbe(place(daemon), "fast"))
                    .hasMessage("12: server.shm.memory is used up");
        }
    }

    @Test
    void refusesWithAReason() throws IOException {
        try (Daemon daemon = start(Map.of("server.shm.clients", "1"))) {
            assertThatThrownBy(() -> new ShmProbe(place(daemon), "none"))
                    .hasMessage("2: no device none");
            try (ShmProbe only = new ShmProbe(place(daemon), "fast")) {
                assertThat(only.write(0, noise(PAGE))).isZero();
                assertThatThrownBy(() -> new ShmProbe(place(daemon), "fast"))
                        .hasMessage("11: 1 processes are attached");
            }
        }
    }

    @Test
    void aDaemonThatStopsFinishesWhatIsPublishedAndHangsUp() throws IOException {
        Daemon daemon = start(Map.of());
        try (ShmProbe probe = new ShmProbe(place(daemon), "fast")) {
            probe.takeCredit(SharedPool.WRITES);
            probe.publish(ChannelLayout.COMMAND_WRITE, 0, 0, PAGE, 0, 0);
            daemon.close();
            assertThat(probe.await()).isZero();
            probe.awaitHangUp();
        }
    }

    @Test
    void withoutAPlaceForItsFilesItServesNbdAndSaysWhy() throws IOException {
        try (Daemon daemon = start(Map.of("server.shm.path", "/nonexistent"))) {
            ShimMap map = ShimMap.read(daemon.asOthersSeeIt().shimMap());
            assertThat(map.whyNbd()).isEqualTo("/nonexistent is no folder that can be written to");
            assertThat(map.lines()).allMatch(line -> line.shmSocket().isEmpty());
        }
        try (Daemon daemon = start(Map.of("server.shm.enabled", "off"))) {
            ShimMap map = ShimMap.read(daemon.asOthersSeeIt().shimMap());
            assertThat(map.whyNbd()).isEqualTo("server.shm.enabled = off");
        }
    }

    @Test
    void theNextDaemonRemovesWhatAKilledOneLeft() throws IOException {
        Path root = folder.resolve("shm");
        try (Daemon _ = start(Map.of())) {
            assertThat(filesOf("fast")).containsExactly("fast.pool");
        }
        int uid = (int) Files.getAttribute(root, "unix:uid");
        Path stale = Files.createDirectories(root.resolve("spindle-" + uid).resolve("999999999"));
        Files.setPosixFilePermissions(
                stale.getParent(), PosixFilePermissions.fromString("rwx------"));
        Files.createFile(stale.resolve("lock"));
        Files.createFile(stale.resolve("fast.pool"));
        try (Daemon _ = start(Map.of())) {
            assertThat(stale).doesNotExist();
        }
    }
}
