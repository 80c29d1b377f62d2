package dev.spindle.testbench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that people use on block devices, unmodified, on an IDE disk and on a DVD+RW of 2 KiB
 * blocks, whose time passes ten times as fast; what they write is compared with what is read.
 */
class ProgramsOnDrivesTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("programs.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                include "%1$s/conf/drives/dvd+rw-4x.conf"
                server { tcp { enabled = off } }
                devices {
                    hda { drive = laptop-ide-2006, size = 128 MiB }
                    dvd { drive = "dvd+rw-4x", time_scale = 10 }
                }
                """
                        .formatted(Tools.home()));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Command under(String... program) {
        return daemon.spindle("run", "--").and(program).in(folder).within(Duration.ofSeconds(90));
    }

    /** Of a program that is not on everybody's PATH. */
    private static Command root(String program, String... arguments) {
        Tools.require(program);
        return under(Tools.pathOf(program)).and(arguments);
    }

    private static String path(String device) {
        return "/dev/" + device;
    }

    private static boolean isDisc(String device) {
        return device.equals("dvd");
    }

    private static String blockBytes(String device) {
        return isDisc(device) ? "2048" : "512";
    }

    /** Bytes that a device is then to hold, at that offset. */
    private static Path written(String device, int bytes, int offsetBytes) throws IOException {
        Path file = folder.resolve("data-" + device + "-" + offsetBytes);
        Files.write(
                file, (device + offsetBytes).repeat(bytes).substring(0, bytes).getBytes(US_ASCII));
        under("dd", "if=" + file, "of=" + path(device), "bs=64k", "oflag=direct,seek_bytes")
                .and("seek=" + offsetBytes, "conv=fsync,notrunc")
                .succeed();
        return file;
    }

    private static void holds(String device, Path data, int offsetBytes) throws IOException {
        under("cmp", "-n", Long.toString(Files.size(data)), "-i", offsetBytes + ":0", path(device))
                .and(data.toString())
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void fioVerifiesByEachEngine(String device) {
        Tools.require("fio");
        // A disc is written in a row: packets in any order take it half a second each.
        String pattern = isDisc(device) ? "write" : "randwrite";
        for (String engine :
                new String[] {
                    "--ioengine=libaio --iodepth=16",
                    "--ioengine=libaio --iodepth=16 --userspace_reap --iodepth_batch=16"
                            + " --iodepth_batch_complete_min=0 --thread",
                    "--ioengine=posixaio --iodepth=8",
                    "--ioengine=pvsync2"
                }) {
            under("fio", "--name=v", "--filename=" + path(device), "--rw=" + pattern)
                    .and("--bs=4k", "--size=1m", "--direct=1", "--verify=crc32c")
                    .and("--verify_fatal=1", "--verify_state_save=0")
                    .and(engine.split(" ", -1))
                    .succeed();
        }
        under("fio", "--name=t", "--filename=" + path(device), "--rw=trim", "--bs=64k")
                .and("--size=1m", "--direct=1", "--ioengine=libaio")
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void qemuReadsItsEventsOutOfTheRing(String device) throws IOException {
        Tools.require("qemu-img");
        Path data = written(device, 1 << 20, 32 << 20);
        List<String> bench =
                List.of(
                        "qemu-img",
                        "bench",
                        "-f",
                        "raw",
                        "-t",
                        "none",
                        "-n",
                        "-d",
                        "16",
                        "-s",
                        "4096");
        String[] words = bench.toArray(String[]::new);
        under(words).and("-c", "256", path(device)).succeed();
        under(words).and("-w", "-c", "32", "--pattern=90", path(device)).succeed();
        Path pattern =
                Files.write(folder.resolve("pattern"), "Z".repeat(32 * 4096).getBytes(US_ASCII));
        holds(device, pattern, 0);
        holds(device, data, 32 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void iopingTalksToTheKernelByItself(String device) {
        Tools.require("ioping");
        under("ioping", "-A", "-D", "-c", "3", "-i", "0.1", path(device)).succeed();
        under("ioping", "-A", "-D", "-WWW", "-s", "4k", "-S", "1m", "-c", "3", "-i", "0.1")
                .and(path(device))
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void thinMetadataIsRestoredCheckedAndDumped(String device) throws IOException {
        Tools.require("thin_restore");
        Path xml = folder.resolve("thin.xml");
        String mapping =
                "<range_mapping origin_begin=\"3\" data_begin=\"5\" length=\"16\" time=\"0\"/>";
        Files.writeString(
                xml,
                "<superblock uuid=\"\" time=\"0\" transaction=\"1\" data_block_size=\"128\""
                        + " nr_data_blocks=\"256\"><device dev_id=\"1\" mapped_blocks=\"16\""
                        + " transaction=\"0\" creation_time=\"0\" snap_time=\"0\">"
                        + mapping
                        + "</device></superblock>");
        root("thin_restore", "-i", xml.toString(), "-o", path(device)).succeed();
        root("thin_check", path(device)).succeed();
        assertThat(root("thin_dump", path(device)).succeed().output()).contains(mapping);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void copiersAndTestersOfDisks(String device) throws IOException {
        Path data = written(device, 1 << 20, 0);
        Tools.require("ddrescue");
        Path copy = folder.resolve("rescued-" + device);
        Path map = folder.resolve("map-" + device);
        under("ddrescue", "-d", "-b", blockBytes(device), "-s", "1MiB", path(device))
                .and(copy.toString(), map.toString())
                .succeed();
        assertThat(Files.mismatch(data, copy)).isEqualTo(-1);
        root("badblocks", "-w", "-t", "0xa5", "-b", "4096", path(device), "255").succeed();
        byte[] pattern = new byte[1 << 20];
        Arrays.fill(pattern, (byte) 0xa5);
        Path tested = Files.write(folder.resolve("a5"), pattern);
        holds(device, tested, 0);
        root("blkdiscard", "-o", "0", "-l", "65536", path(device)).succeed();
        root("blkdiscard", "-z", "-o", "65536", "-l", "65536", path(device)).succeed();
        Path zeroes = Files.write(folder.resolve("zeroes"), new byte[65536]);
        holds(device, zeroes, 65536);
    }

    @Test
    void hdparmTimesTheDisk() {
        assertThat(root("hdparm", "-t", "--direct", path("hda")).succeed().output())
                .containsPattern("Timing O_DIRECT disk reads: .* MB/sec");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hda", "dvd"})
    void fileSystemsAreMadeAndFoundWhole(String device) {
        for (String direct : new String[] {"", "-D"}) {
            Command mkfs = root("mkfs.ext4", "-q", "-F", "-b", "4096");
            (direct.isEmpty() ? mkfs : mkfs.and(direct)).and(path(device), "16m").succeed();
            root("e2fsck", "-fn", path(device)).succeed();
        }
        String blocks = Integer.toString((16 << 20) / Integer.parseInt(blockBytes(device)));
        root("mkudffs", "-b", blockBytes(device), "--label=spindle", path(device), blocks)
                .succeed();
        assertThat(root("udfinfo", "-b", blockBytes(device), path(device)).run().output())
                .contains("label=spindle");
    }

    /** They make files of their own: what is not a device is as without the shim. */
    @Test
    void loadOnOrdinaryFilesIsServedAsWithoutTheShim() {
        Tools.require("stress-ng");
        under("stress-ng", "--aiol", "1", "--aiol-ops", "50", "--verify", "--temp-path", ".")
                .succeed();
        Tools.require("sysbench");
        String[] words = {
            "sysbench",
            "fileio",
            "--file-num=2",
            "--file-total-size=8M",
            "--file-io-mode=async",
            "--file-async-backlog=16",
            "--file-extra-flags=direct",
            "--file-block-size=16K"
        };
        under(words).and("prepare").succeed();
        under(words).and("--file-test-mode=rndrw", "--events=200", "--time=20", "run").succeed();
        under(words).and("cleanup").succeed();
    }
}
