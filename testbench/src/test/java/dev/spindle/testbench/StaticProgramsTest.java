package dev.spindle.testbench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that no preload reaches, under {@code spindle run --static}. */
class StaticProgramsTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("static.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                server { tcp { enabled = off } }
                devices {
                    quick { drive = null, size = 64 MiB, store { type = file, path = "%2$s/quick.img" } }
                    disk { drive = laptop-ide-2006, size = 256 MiB }
                }
                """
                        .formatted(Tools.home(), folder));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Command under(String... program) {
        return daemon.spindle("run", "--static", "--").and(program).in(folder);
    }

    private static String built(String path) {
        Path file = Tools.home().resolve(path);
        boolean isThere = Files.isExecutable(file);
        if (!isThere && System.getenv("CI") != null) {
            throw new AssertionError(file + " was not built, and CI skips nothing");
        }
        Assumptions.assumeTrue(isThere, "skipped: no static libc here, so there is no " + path);
        return file.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static/aio_setup",
                "static/aio_submit",
                "static/aio_fault",
                "static/aio_events",
                "static/descriptors",
                "static/raw_calls",
                "static/mixed",
                "static/model",
                "static/fortify",
                "static/posix_aio",
                "static/threads",
                "static/astray",
                "static/rings",
                "static/crowd",
                "static/sleepers",
                "static/killed",
                "static/kills",
                "static/assembly",
                "musl/assembly"
            })
    void theShimsOwnTestsPassAsStaticPrograms(String name) {
        under(built("shim-native/build/test/" + name), "/dev/quick").succeed();
    }

    @Test
    void leavesRingsToTheKernelWhereAsked() {
        under(built("shim-native/build/test/static/rings"), "/dev/quick")
                .with("SPINDLE_SHIM_IO_URING", "allow")
                .succeed();
    }

    /** As in a container without root: namespaces of users and processes, around it or in it. */
    @ParameterizedTest
    @ValueSource(strings = {"aio_submit", "mixed"})
    void worksInNamespacesOfAContainer(String name) {
        Tools.require("unshare");
        assumeTrue(
                Command.of("unshare", "-Urpf", "--mount-proc", "true").run().status() == 0,
                "this system makes no user namespaces");
        String program = built("shim-native/build/test/static/" + name);
        under("unshare", "-Urpf", "--mount-proc", program, "/dev/quick").succeed();
        Command around =
                Command.of("unshare", "-Urpf", "--mount-proc", Tools.launcher(), "run")
                        .and("--static", "--conf", Tools.home() + "/conf/null.conf", "--")
                        .and(program, "/dev/fast");
        Daemon.inRuntimeFolder(around, folder).in(folder).succeed();
    }

    /** A drive slow enough that exec has something to wait for. */
    @Test
    void execWaitsForWhatIsInFlight() {
        under(built("shim-native/build/test/static/reborn"), "/dev/disk").succeed();
    }

    @Test
    void dynamicProgramsAreServedToo() {
        under(built("shim-native/build/test/threads"), "/dev/quick").succeed();
    }

    @Test
    void busyboxCopiesThereAndBackAndTheImageHasIt() throws IOException {
        Tools.require("busybox");
        Path there =
                Files.write(folder.resolve("there"), "spindle!".repeat(1 << 17).getBytes(US_ASCII));
        Path back = folder.resolve("back");
        under("busybox", "dd", "if=" + there, "of=/dev/quick", "bs=64k", "conv=fsync").succeed();
        under("busybox", "dd", "if=/dev/quick", "of=" + back, "bs=64k", "count=16").succeed();
        assertThat(Files.mismatch(there, back)).isEqualTo(-1);
        byte[] image = new byte[1 << 20];
        try (var in = Files.newInputStream(folder.resolve("quick.img"))) {
            assertThat(in.readNBytes(image, 0, image.length)).isEqualTo(image.length);
        }
        assertThat(image).isEqualTo(Files.readAllBytes(there));
        under("busybox", "sh", "-c", "busybox cat /dev/quick | busybox cmp -n 1048576 - there")
                .succeed();
    }

    @Test
    void busyboxSeesABlockDevice() {
        Tools.require("busybox");
        assertThat(under("busybox", "stat", "-c", "%F", "/dev/quick").succeed().output())
                .contains("block special file");
        assertThat(under("busybox", "blockdev", "--getsize64", "/dev/quick").succeed().output())
                .contains("67108864");
    }

    @Test
    void busyboxTunesByScript() {
        Tools.require("busybox");
        String script =
                """
                queue=/sys/block/quick/queue
                echo 640 > $queue/nr_requests && busybox cat $queue/nr_requests
                (echo x > $queue/nr_requests) 2>/dev/null || echo refused
                (echo 1 > $queue/rotational) 2>/dev/null || echo denied
                busybox ls /sys/block | busybox grep quick
                busybox readlink /sys/block/quick
                busybox stat -c '%s %A' $queue/nr_requests
                busybox grep -r 640 $queue
                """;
        assertThat(under("busybox", "sh", "-c", script).succeed().output())
                .isEqualTo(
                        """
                        640
                        refused
                        denied
                        quick
                        ../devices/virtual/block/quick
                        4096 -rw-r--r--
                        /sys/block/quick/queue/nr_requests:640
                        """);
        under("busybox", "sh", "-c", "echo 128 > /sys/block/quick/queue/nr_requests").succeed();
    }

    @Test
    void submitBlocksOnAShortQueue() {
        String testaio = built("testbench/build/testaio-static");
        String said = under(testaio, "--json", "/dev/disk").succeed().output();
        Matcher share = Pattern.compile("\"blocked_share\": *([0-9.]+)").matcher(said);
        assertThat(share.find()).as(said).isTrue();
        assertThat(Double.parseDouble(share.group(1))).isGreaterThan(0.5);
    }

    @Test
    void theStatusIsTheProgramsOwn() {
        assertThat(under("sh", "-c", "exit 7").run().status()).isEqualTo(7);
        assertThat(under("sh", "-c", "kill -9 $$").run().status()).isEqualTo(137);
        assertThat(under("no-such-program").run().status()).isEqualTo(127);
    }

    @Test
    void theDaemonsDeathEndsEveryRequest() throws IOException {
        String death = built("shim-native/build/test/static/death");
        Path place = Files.createDirectory(folder.resolve("dies"));
        Path conf = place.resolve("dies.conf");
        Files.writeString(
                conf,
                """
                include "%s/conf/drives/laptop-ide-2006.conf"
                server { tcp { enabled = off } }
                devices { disk { drive = laptop-ide-2006, size = 64 MiB } }
                """
                        .formatted(Tools.home()));
        try (Daemon dying = Daemon.serve(conf, place)) {
            dying.spindle("run", "--static", "--", death, "/dev/disk")
                    .in(place)
                    .with("SPINDLE_TEST_SERVER", Long.toString(dying.pid()))
                    .succeed();
        }
    }
}
