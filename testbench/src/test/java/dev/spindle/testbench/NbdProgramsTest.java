package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The NBD programs people use, against a daemon with one device without delays, one on a file, and
 * the laptop disk.
 */
class NbdProgramsTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                devices {
                    fast { drive = null, size = 256 MiB, store { type = memory } }
                    image { drive = null, size = 256 MiB, store { type = file, path = "%2$s/image.img" } }
                    hda { drive = laptop-ide-2006, size = 1 GiB, store { type = memory } }
                    huge { drive = null, size = 8 TiB, store { type = memory } }
                }
                """
                        .formatted(Tools.home(), folder));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZeroAndDisturbedByNothing() {
        assertThat(daemon.isAlive()).isTrue();
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Path randomFile(String name, int bytes) throws IOException {
        byte[] data = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(data);
        return Files.write(folder.resolve(name), data);
    }

    @Test
    void nbdinfoSeesWhatTheDeviceIs() {
        Tools.require("nbdinfo");
        String seen =
                Command.of("nbdinfo", "--json", daemon.uri("hda"))
                        .succeed()
                        .output()
                        .replaceAll("\\s+", "");
        assertThat(seen)
                .contains("\"export-size\":1073741824")
                .contains("\"is_read_only\":false")
                .contains("\"is_rotational\":true")
                .contains("\"can_flush\":true")
                .contains("\"can_fua\":true")
                .contains("\"can_trim\":true")
                .contains("\"can_zero\":true")
                .contains("\"can_multi_conn\":true")
                .contains("\"block_size_minimum\":512");
        Command.of("nbdinfo", "--can", "multi-conn", daemon.uri("fast")).succeed();
    }

    @Test
    void nbdinfoListsEveryDeviceOverTcp() {
        Tools.require("nbdinfo");
        String uri = "nbd://127.0.0.1:" + daemon.tcpPort();
        assertThat(Command.of("nbdinfo", "--list", uri).succeed().output())
                .contains("fast", "hda", "image", "huge");
    }

    @Test
    void nbdClientListsEveryDevice() {
        Tools.require("nbd-client");
        String listed =
                Command.of(
                                Tools.pathOf("nbd-client"),
                                "-l",
                                "127.0.0.1",
                                String.valueOf(daemon.tcpPort()))
                        .run()
                        .output();
        assertThat(listed).contains("fast").contains("hda").contains("image").contains("huge");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image", "hda"})
    void nbdcopyBringsBackWhatItTookThere(String device) throws IOException {
        Tools.require("nbdcopy");
        Path there = randomFile("there-" + device, 16 << 20);
        Path back = folder.resolve("back-" + device);
        Command.of("nbdcopy", there.toString(), daemon.uri(device)).succeed();
        Command.of("nbdcopy", daemon.uri(device), back.toString()).succeed();
        assertThat(head(back, 16 << 20)).isEqualTo(Files.readAllBytes(there));
        Files.delete(back);
        String[] many = {"--synchronous", "-C", "4", "-R", "64", "--request-size=65536"};
        Command.of("nbdcopy").and(many).and(there.toString(), daemon.uri(device)).succeed();
        Command.of("nbdcopy").and(many).and(daemon.uri(device), back.toString()).succeed();
        assertThat(head(back, 16 << 20)).isEqualTo(Files.readAllBytes(there));
        Files.delete(back);
    }

    private static byte[] head(Path file, int bytes) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image", "hda"})
    void qemuIoReadsZeroesTrimsAndUnalignedWrites(String device) {
        Tools.require("qemu-io");
        String[] list = {
            "write -P 0x5a 0 1M",
            "write -z 512k 64k",
            "read -P 0 512k 64k",
            "discard 1M 1M",
            "flush",
            "write -f -P 7 3M 4k",
            "read -P 7 3M 4k",
            "write -P 9 511 1",
            "read -P 9 511 1",
            "read -P 0x5a 0 511",
            "map"
        };
        Command command = Command.of("qemu-io", "-f", "raw");
        for (String each : list) {
            command.and("-c", each);
        }
        Command.Outcome outcome = command.and(daemon.uri(device)).succeed();
        assertThat(outcome.output())
                .doesNotContain("Pattern verification failed")
                .doesNotContain("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void qemuImgSeesTheSameBytes(String device) throws IOException {
        Tools.require("qemu-img", "nbdcopy");
        Path there = randomFile("compare-" + device, 256 << 20);
        Command.of("nbdcopy", there.toString(), daemon.uri(device)).succeed();
        Command.of(
                        "qemu-img",
                        "compare",
                        "-f",
                        "raw",
                        "-F",
                        "raw",
                        there.toString(),
                        daemon.uri(device))
                .succeed();
        Files.delete(there);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void fioVerifiesWhatItWrote(String device) {
        Tools.require("fio");
        fio(device, "--rw=randwrite", "--bs=4k", "--size=64M", "--do_verify=1");
        fio(device, "--rw=randwrite", "--bs=64k", "--size=64M", "--do_verify=1", "--fsync=16");
    }

    @Test
    void fioVerifiesWhatItWroteToADiskThatTakesItsTime() {
        Tools.require("fio");
        fio("hda", "--rw=randwrite", "--bs=4k", "--size=2M", "--do_verify=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void fioTrims(String device) {
        Tools.require("fio");
        Command.of("fio", "--name=t", "--ioengine=nbd", "--uri=" + daemon.uri(device), "--thread")
                .and("--rw=randtrim", "--bs=64k", "--size=64M", "--iodepth=32")
                .in(folder)
                .succeed();
    }

    private static void fio(String device, String... options) {
        Command.of(
                        "fio",
                        "--name=v",
                        "--ioengine=nbd",
                        "--uri=" + daemon.uri(device),
                        "--thread",
                        "--iodepth=32")
                .and("--verify=crc32c", "--verify_fatal=1", "--verify_state_save=0")
                .and(options)
                .in(folder)
                .succeed();
    }

    @Test
    void qemuImgBenchEnds() {
        Tools.require("qemu-img");
        Command.of(
                        "qemu-img",
                        "bench",
                        "-f",
                        "raw",
                        "-c",
                        "20000",
                        "-d",
                        "32",
                        "-s",
                        "4096",
                        "-t",
                        "none",
                        daemon.uri("fast"))
                .succeed();
    }

    @Test
    void nbdkitsOwnClientReachesIt() throws IOException {
        Tools.require("nbdkit", "nbdcopy");
        Path copy = folder.resolve("through");
        String plugin = "nbd";
        Command.of("nbdkit", "-U", "-", plugin, "uri=" + daemon.uri("fast"))
                .and("--run", "nbdcopy \"$uri\" " + copy)
                .succeed();
        assertThat(Files.size(copy)).isEqualTo(256 << 20);
        Files.delete(copy);
    }

    @Test
    void offsetsBeyondFourGigabytesAreTheirOwnBytes() {
        Tools.require("qemu-io");
        String far = String.valueOf((1L << 42) + 4096);
        Command.of(
                        "qemu-io",
                        "-f",
                        "raw",
                        "-c",
                        "write -P 3 " + far + " 4k",
                        "-c",
                        "read -P 3 " + far + " 4k")
                .and("-c", "read -P 0 4096 4k", daemon.uri("huge"))
                .succeed();
    }
}
