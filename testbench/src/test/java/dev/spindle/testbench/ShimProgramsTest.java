package dev.spindle.testbench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified O_DIRECT and AIO programs under {@code spindle run}. */
class ShimProgramsTest {
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
                    hda { drive = laptop-ide-2006, size = 1 GiB, store { type = memory } }
                    quick { drive = null, size = 64 MiB, path = /dev/spindle/quick, store { type = memory } }
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
        return daemon.spindle("run", "--").and(program).in(folder);
    }

    @Test
    void fioVerifiesThroughLibaio() {
        Tools.require("fio");
        under(
                        "fio",
                        "--name=v",
                        "--filename=/dev/hda",
                        "--rw=randwrite",
                        "--bs=4k",
                        "--size=4m",
                        "--direct=1")
                .and(
                        "--ioengine=libaio",
                        "--iodepth=16",
                        "--verify=crc32c",
                        "--verify_fatal=1",
                        "--verify_state_save=0")
                .succeed();
    }

    @Test
    void fioVerifiesThroughThreadsSyncCallsAndPosixAio() {
        Tools.require("fio");
        for (String engine : new String[] {"libaio", "psync", "pvsync", "posixaio"}) {
            under(
                            "fio",
                            "--name=v",
                            "--filename=/dev/spindle/quick",
                            "--rw=randrw",
                            "--bs=16k",
                            "--size=8m",
                            "--direct=1")
                    .and(
                            "--thread",
                            "--ioengine=" + engine,
                            "--iodepth=8",
                            "--verify=crc32c",
                            "--verify_fatal=1")
                    .and("--verify_state_save=0")
                    .succeed();
        }
    }

    /** As on a kernel without it, so that a program that can does without. */
    @Test
    void thereIsNoIoUring() {
        Tools.require("fio");
        Command.Outcome outcome =
                under(
                                "fio",
                                "--name=v",
                                "--filename=/dev/spindle/quick",
                                "--size=1m",
                                "--direct=1",
                                "--ioengine=io_uring")
                        .run();
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.output() + outcome.errors()).contains("Function not implemented");
    }

    /** QEMU has no other way once io_uring was asked for: what it says must be the reason. */
    @Test
    void qemuImgSaysWhyThereIsNoIoUring() {
        Tools.require("qemu-img");
        Command.Outcome outcome =
                under("qemu-img", "bench", "-f", "raw", "-t", "none", "-i", "io_uring", "-c", "8")
                        .and("/dev/spindle/quick")
                        .run();
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.errors()).contains("io_uring", "Function not implemented");
    }

    /** plocate links liburing, and reads its database by pread where there is no ring. */
    @Test
    void plocateDoesWithoutIoUring() throws IOException {
        Tools.require("plocate-build", "plocate");
        Path names = Files.writeString(folder.resolve("names"), "/a/spindle\n/b/other\n");
        Path database = folder.resolve("names.db");
        Command.of(
                        Tools.pathOf("plocate-build"),
                        "-l",
                        "no",
                        "-p",
                        names.toString(),
                        database.toString())
                .succeed();
        // Set-group-ID programs are left alone by ld.so: a copy is none.
        Path plocate = Files.copy(Path.of("/usr/bin/plocate"), folder.resolve("plocate"));
        for (String wish : new String[] {"no", "allow"}) {
            assertThat(
                            under(plocate.toString(), "-d", database.toString(), "spin")
                                    .with("SPINDLE_SHIM_IO_URING", wish)
                                    .succeed()
                                    .output())
                    .isEqualTo("/a/spindle\n");
        }
        under("dd", "if=" + database, "of=/dev/spindle/quick", "conv=notrunc,sync", "bs=4k")
                .succeed();
        assertThat(under(plocate.toString(), "-d", "/dev/spindle/quick", "spin").succeed().output())
                .isEqualTo("/a/spindle\n");
    }

    @Test
    void ddCopiesThereAndBack() throws IOException {
        Path there =
                Files.write(folder.resolve("there"), "spindle!".repeat(1 << 17).getBytes(US_ASCII));
        Path back = folder.resolve("back");
        under("dd", "if=" + there, "of=/dev/hda", "bs=64k", "oflag=direct", "conv=fsync,notrunc")
                .succeed();
        under("dd", "if=/dev/hda", "of=" + back, "bs=64k", "count=16", "iflag=direct").succeed();
        assertThat(Files.mismatch(there, back)).isEqualTo(-1);
    }

    @Test
    void programsSeeABlockDeviceOfTheRightSize() {
        assertThat(under("stat", "-c", "%F", "/dev/hda").succeed().output())
                .contains("block special file");
        Tools.require("blockdev");
        assertThat(
                        under(Tools.pathOf("blockdev"), "--getsize64", "--getss", "/dev/hda")
                                .succeed()
                                .output())
                .containsIgnoringWhitespaces("1073741824 512");
    }

    @Test
    void aLinkLeadsToTheDevice() throws IOException {
        Path link = folder.resolve("testfile");
        Files.createSymbolicLink(link, Path.of("/dev/spindle/quick"));
        Path there =
                Files.write(folder.resolve("linked"), "link".repeat(1 << 14).getBytes(US_ASCII));
        under("dd", "if=" + there, "of=" + link, "bs=64k", "conv=fsync").succeed();
        under("cmp", "-n", "65536", there.toString(), "/dev/spindle/quick").succeed();
        under("sh", "-c", "dd if=/dev/stdin bs=64k count=1 < testfile | cmp - linked").succeed();
        under("sh", "-c", "exec 7< testfile; cmp -n 65536 /proc/self/fd/7 linked").succeed();
        assertThat(Path.of("/dev/spindle/quick")).doesNotExist();
    }

    @Test
    void hdparmAsksForGeometryAndPowerAndMeasures() {
        Tools.require("hdparm");
        Command.Outcome asked = under("hdparm", "-g", "-C", "/dev/hda").succeed();
        assertThat(asked.output()).contains("2080/16/63", "sectors = 2097152", "active/idle");
        assertThat(asked.errors()).isEmpty();
        Command.Outcome timed = under("hdparm", "-t", "--direct", "/dev/spindle/quick").succeed();
        assertThat(timed.output()).contains("Timing O_DIRECT disk reads");
        assertThat(timed.errors()).isEmpty();
    }

    @Test
    void childrenAndPipelinesUseTheDevice() {
        under(
                        "sh",
                        "-c",
                        "head -c 1000000 /dev/urandom > data && cat data > /dev/spindle/quick"
                                + " && (cd /dev && dd if=spindle/quick bs=1M count=1) | head -c 1000000"
                                + " | cmp - data && tar cf /dev/spindle/quick data"
                                + " && tar xOf /dev/spindle/quick | cmp - data")
                .succeed();
    }

    @Test
    void withoutItsEnvironmentAProgramFindsNoDevice() {
        Command.Outcome outcome =
                under("env", "-i", "dd", "if=/dev/spindle/quick", "of=/dev/null", "count=1").run();
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errors()).contains("No such file or directory");
    }

    @Test
    void theProgramsExitStatusIsReturned() {
        assertThat(under("sh", "-c", "exit 7").run().status()).isEqualTo(7);
        assertThat(under("sh", "-c", "kill -TERM $$").run().status()).isEqualTo(128 + 15);
        assertThat(under("no-such-program").run().status()).isEqualTo(127);
    }

    @Test
    void aProgramThatUsesNoDeviceIsUndisturbed() {
        assertThat(under("echo", "hello").succeed().output()).isEqualTo("hello\n");
    }

    @Test
    void startsAPrivateDaemonWhereNoneRunsAndLeavesNothingBehind() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Command command =
                Daemon.inRuntimeFolder(
                        Command.of(Tools.launcher(), "run", "--device", "hda"), elsewhere);
        String said =
                command.and(
                                "--set",
                                "nr_requests=1024",
                                "--",
                                Tools.testaio(),
                                "-n",
                                "4",
                                "--json",
                                "/dev/hda")
                        .succeed()
                        .output();
        assertThat(said).contains("\"enqueue_s\"");
        Path run = elsewhere.resolve("run");
        if (Files.exists(run)) {
            try (var left = Files.list(run)) {
                assertThat(left).isEmpty();
            }
        }
    }
}
