package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What NBD programs make of holes: of a store in memory and of one in a file. */
class NbdHolesTest {
    private static final int MIB = 1 << 20;
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                devices {
                    fast { drive = null, size = 64 MiB, store { type = memory } }
                    image { drive = null, size = 64 MiB, store { type = file, path = "%2$s/image.img" } }
                }
                """
                        .formatted(Tools.home(), folder));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.isAlive()).isTrue();
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    /** Two stretches of data, at 1 MiB and at 40 MiB, in 64 MiB of nothing. */
    private static Path sparseFile(String name) throws IOException {
        byte[] data = new byte[MIB];
        new SplittableRandom(7).nextBytes(data);
        Path file = folder.resolve(name);
        try (var out = new java.io.RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(64L * MIB);
            for (long at : List.of(1L * MIB, 40L * MIB)) {
                out.seek(at);
                out.write(data);
            }
        }
        return file;
    }

    private static void fill(String device) throws IOException {
        Path there = sparseFile("there-" + device);
        Command.of("qemu-io", "-f", "raw", "-c", "discard 0 64M", daemon.uri(device)).succeed();
        Command.of("nbdcopy", there.toString(), daemon.uri(device)).succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void nbdinfoMapsDataAndHoles(String device) throws IOException {
        Tools.require("nbdinfo", "nbdcopy", "qemu-io");
        fill(device);
        String map = Command.of("nbdinfo", "--map", daemon.uri(device)).succeed().output();
        assertThat(map.lines().map(line -> line.strip().replaceAll("\\s+", " ")))
                .containsExactly(
                        "0 1048576 3 hole,zero",
                        "1048576 1048576 0 data",
                        "2097152 39845888 3 hole,zero",
                        "41943040 1048576 0 data",
                        "42991616 24117248 3 hole,zero");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void qemuImgMapsAndComparesThem(String device) throws IOException {
        Tools.require("qemu-img", "nbdcopy", "qemu-io");
        fill(device);
        String map =
                Command.of("qemu-img", "map", "--output=json", "-f", "raw", daemon.uri(device))
                        .succeed()
                        .output();
        assertThat(map)
                .contains("\"start\": 1048576, \"length\": 1048576")
                .contains("\"start\": 41943040, \"length\": 1048576");
        assertThat(map.lines().filter(line -> line.contains("\"zero\": true"))).hasSize(3);
        Command.of("qemu-img", "compare", "-f", "raw", "-F", "raw")
                .and(folder.resolve("there-" + device).toString(), daemon.uri(device))
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void whatIsCopiedBackIsAsSparseAsItWas(String device) throws IOException {
        Tools.require("nbdcopy", "qemu-io");
        fill(device);
        Path back = folder.resolve("back-" + device);
        Command.of("nbdcopy", daemon.uri(device), back.toString()).succeed();
        assertThat(Files.mismatch(folder.resolve("there-" + device), back)).isEqualTo(-1);
        long blocks =
                Long.parseLong(
                        Command.of("stat", "-c", "%b", back.toString()).succeed().output().strip());
        assertThat(blocks * 512).isLessThanOrEqualTo(4L * MIB);
    }

    @Test
    void nbdinfoSeesWhatTheProtocolHasAgreedOn() {
        Tools.require("nbdinfo");
        String seen =
                Command.of("nbdinfo", "--json", daemon.uri("fast"))
                        .succeed()
                        .output()
                        .replaceAll("\\s+", "");
        assertThat(seen)
                .contains("\"structured\":true")
                .contains("\"contexts\":[\"base:allocation\"]")
                .contains("\"can_df\":true")
                .contains("\"can_cache\":true")
                .contains("\"can_fast_zero\":true");
    }

    @Test
    void nbdkitsLogShowsASparseCopyThroughIt() throws IOException {
        Tools.require("nbdkit", "nbdcopy", "qemu-io");
        fill("fast");
        Path log = folder.resolve("nbdkit.log");
        Path copy = folder.resolve("through");
        Command.of("nbdkit", "-U", "-", "--filter=log", "nbd", "uri=" + daemon.uri("fast"))
                .and("logfile=" + log, "--run", "nbdcopy \"$uri\" " + copy)
                .succeed();
        assertThat(Files.mismatch(folder.resolve("there-fast"), copy)).isEqualTo(-1);
        assertThat(Files.readString(log)).contains("Extents").contains("hole,zero");
    }

    @Test
    void fioSyncsAfterEveryWrite() {
        Tools.require("fio");
        Command.of("fio", "--name=v", "--ioengine=nbd", "--uri=" + daemon.uri("image"), "--thread")
                .and("--rw=randwrite", "--bs=4k", "--size=1M", "--iodepth=32", "--fsync=1")
                .and("--verify=crc32c", "--verify_fatal=1", "--do_verify=1")
                .and("--verify_state_save=0")
                .in(folder)
                .succeed();
    }
}
