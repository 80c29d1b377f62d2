package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that ask a drive in its own language, unmodified, on a DVD+RW and a CD-RW whose time
 * passes a hundred times as fast.
 */
class BurnerProgramsTest {
    private static final int IMAGE_BYTES = 3_000_000;

    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Path conf = folder.resolve("burners.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                include "%1$s/conf/drives/dvd+rw-4x.conf"
                include "%1$s/conf/drives/cd-rw-4x.conf"
                server { tcp { enabled = off } }
                devices {
                    hda { drive = laptop-ide-2006, size = 64 MiB }
                    sr0 { drive = "dvd+rw-4x", time_scale = 100 }
                    sr1 { drive = cd-rw-4x, time_scale = 100 }
                    sr2 { drive = "dvd+rw-4x", time_scale = 100, packet { enabled = off } }
                }
                """
                        .formatted(Tools.home()));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        assertThat(daemon.stop()).as(daemon.said()).isZero();
    }

    private static Command under(String program, String... arguments) {
        Tools.require(program);
        return daemon.spindle("run", "--", Tools.pathOf(program)).and(arguments).in(folder);
    }

    /** Of random bytes, so that nothing of it is what the disc had anyway. */
    private static Path image(long seed) throws IOException {
        byte[] bytes = new byte[IMAGE_BYTES];
        new Random(seed).nextBytes(bytes);
        return Files.write(folder.resolve("image-" + seed), bytes);
    }

    private static void holds(String device, Path image) {
        under("cmp", "-n", Integer.toString(IMAGE_BYTES), device, image.toString()).succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/sr0", "/dev/sr1", "/dev/hda"})
    void theShimsOwnTableOfIoctls(String device) {
        Path built = Tools.home().resolve("shim-native/build/test");
        daemon.spindle("run", "--", built.resolve("ioctls").toString(), device)
                .in(folder)
                .succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/sr0", "/dev/hda"})
    void theSameAsAStaticProgram(String device) {
        Path program = Tools.home().resolve("shim-native/build/test/static/ioctls");
        if (System.getenv("CI") == null) {
            Assumptions.assumeTrue(Files.isExecutable(program), "skipped: no static libc here");
        }
        daemon.spindle("run", "--static", "--", program.toString(), device).in(folder).succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/sr0", "/dev/sr1"})
    void mkudffsFindsOutWhatItWrites(String device) {
        String made = under("mkudffs", "--label=burnt", device).succeed().output();
        int blocks = device.equals("/dev/sr0") ? 2_295_104 : 295_264;
        assertThat(made).contains("blocksize=2048", "blocks=" + blocks);
        assertThat(under("udfinfo", device).succeed().output()).contains("label=burnt");
        assertThat(under("blkid", "-p", device).succeed().output()).contains("TYPE=\"udf\"");
    }

    @Test
    void mediainfoDescribesTheDisc() {
        assertThat(under("dvd+rw-mediainfo", "/dev/sr0").succeed().output())
                .contains("[SPINDLE ][DVD+RW burner 4x]")
                .contains("Mounted Media:         1Ah, DVD+RW")
                .contains("Write Speed #1:        2.4x1385=3324KB/s")
                .contains("READ CAPACITY:          2295104*2048=4700372992");
    }

    /** It writes by SG_IO, closes and reads by read(2). */
    @Test
    void growisofsBurnsAnImage() throws IOException {
        Path image = image(1);
        under("growisofs", "-Z", "/dev/sr0=" + image).succeed();
        holds("/dev/sr0", image);
    }

    @Test
    void xorrisoBurnsAnImageWithoutAPacketWriterToo() throws IOException {
        Path image = image(2);
        // Its verdict on what it then finds is 32: the image is no file system.
        assertThat(
                        under("xorriso", "-as", "cdrecord", "dev=/dev/sr2", image.toString())
                                .run()
                                .errors())
                .contains("completed successfully");
        holds("/dev/sr2", image);
    }

    @Test
    void sgUtilsSeeTheSense() {
        assertThat(under("sg_inq", "/dev/sr1").succeed().output())
                .contains("Vendor identification: SPINDLE");
        Command.Outcome outcome =
                under("sg_raw", "/dev/sr1", "a1", "2", "0", "0", "0", "0", "0", "0", "0", "0", "0")
                        .and("0")
                        .run();
        assertThat(outcome.status()).isNotZero();
        assertThat(outcome.errors()).containsIgnoringCase("invalid field in cdb");
    }
}
