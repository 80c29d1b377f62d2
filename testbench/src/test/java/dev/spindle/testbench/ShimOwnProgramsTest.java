package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shim's own test programs, which {@code make -C shim-native check} runs against another
 * server, before this daemon.
 */
class ShimOwnProgramsTest {
    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        daemon = serveIn(folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Daemon serveIn(Path place) throws IOException {
        Path conf = place.resolve("own.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                server { tcp { enabled = off } }
                devices {
                    quick { drive = null, size = 64 MiB }
                    disk { drive = laptop-ide-2006, size = 64 MiB }
                    fixed { drive = null, size = 64 MiB, read_only = on }
                    forty { drive = null, size = 40 GB }
                    large { drive = null, size = 160 GB }
                }
                """
                        .formatted(Tools.home()));
        return Daemon.serve(conf, place);
    }

    private static Command program(Daemon server, String name, String device) {
        String program = Tools.home().resolve("shim-native/build/test").resolve(name).toString();
        return server.spindle("run", "--", program, "/dev/" + device);
    }

    private static void passes(String name, String device) {
        program(daemon, name, device).in(folder).succeed();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aio_setup",
                "aio_submit",
                "aio_fault",
                "aio_events",
                "descriptors",
                "raw_calls",
                "mixed",
                "model",
                "fortify",
                "posix_aio",
                "threads",
                "astray",
                "rings",
                "crowd",
                "sleepers",
                "killed",
                "kills"
            })
    void passesOnADeviceThatTakesNoTime(String name) {
        passes(name, "quick");
    }

    /** Those whose thousands of requests would take a disk minutes are left out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "aio_setup",
                "aio_submit",
                "aio_fault",
                "aio_events",
                "descriptors",
                "raw_calls",
                "mixed",
                "fortify",
                "posix_aio",
                "astray",
                "killed",
                "reborn"
            })
    void passesOnADisk(String name) {
        passes(name, "disk");
    }

    /** Below and above what 16 heads can tell, and above 28-bit addresses. */
    @ParameterizedTest
    @ValueSource(strings = {"quick", "forty", "large"})
    void givesTheGeometryOfADiskOfItsSize(String device) {
        passes("ioctls", device);
    }

    /** They serve ordinary files then, and a device is refused by name. */
    @Test
    void leavesRingsToTheKernelWhereAsked() {
        program(daemon, "rings", "quick")
                .with("SPINDLE_SHIM_IO_URING", "allow")
                .in(folder)
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aio_submit",
                "aio_fault",
                "aio_events",
                "descriptors",
                "mixed",
                "model",
                "threads",
                "posix_aio",
                "astray",
                "killed"
            })
    void passesOverNbd(String name) {
        String program = Tools.home().resolve("shim-native/build/test").resolve(name).toString();
        daemon.spindle("run", "--transport", "nbd", "--", program, "/dev/quick")
                .in(folder)
                .succeed();
    }

    @Test
    void aProgramSharesMemoryUnlessToldOtherwise() {
        String program = Tools.home().resolve("shim-native/build/test/killed").toString();
        for (String transport : new String[] {"auto", "shm", "nbd"}) {
            String said =
                    daemon.spindle("run", "--transport", transport, "--", program, "/dev/quick")
                            .with("SPINDLE_SHIM_DEBUG", "1")
                            .in(folder)
                            .succeed()
                            .errors();
            String socket = transport.equals("nbd") ? "/nbd.sock" : "/shm.sock";
            assertThat(said).contains(socket + " for /dev/quick");
        }
    }

    @Test
    void aReadOnlyDeviceRefusesWrites() {
        passes("readonly", "fixed");
    }

    @Test
    void theDaemonsDeathEndsEveryRequest() throws IOException {
        Path place = Files.createDirectory(folder.resolve("dies"));
        try (Daemon dying = serveIn(place)) {
            program(dying, "death", "disk")
                    .in(place)
                    .with("SPINDLE_TEST_SERVER", Long.toString(dying.pid()))
                    .succeed();
        }
    }
}
