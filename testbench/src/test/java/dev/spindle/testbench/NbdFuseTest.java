package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * File systems on a device that nbdfuse shows as a file. What a machine forbids is left out, and
 * the report says so by name, in CI too: FUSE where nbdkit's disk cannot be mounted either, loop
 * devices where none can be made of a plain file. Where these work, ours must.
 */
class NbdFuseTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void serve() throws IOException {
        Tools.require("nbdfuse", "nbdkit");
        Path conf = folder.resolve("test.conf");
        Files.writeString(
                conf,
                """
                include "%1$s/conf/drives/null.conf"
                include "%1$s/conf/drives/laptop-ide-2006.conf"
                devices {
                    fast { drive = null, size = 32 MiB, store { type = memory } }
                    image { drive = null, size = 32 MiB, store { type = file, path = "%2$s/image.img" } }
                    hda { drive = laptop-ide-2006, size = 32 MiB, store { type = memory } }
                }
                """
                        .formatted(Tools.home(), folder));
        daemon = Daemon.serve(conf, folder);
    }

    @AfterAll
    static void endsWithStatusZero() {
        if (daemon != null) {
            assertThat(daemon.isAlive()).isTrue();
            assertThat(daemon.stop()).as(daemon.said()).isZero();
        }
    }

    private static Path newFolder() throws IOException {
        return Files.createTempDirectory(folder, "mount");
    }

    private static MountedFile mounted(String device) throws IOException {
        String forbidden = whyFuseIsForbidden();
        Assumptions.assumeTrue(
                forbidden.isEmpty(),
                "left out: file systems on nbdfuse, as this machine mounts nbdkit's disk no more"
                        + " than ours: "
                        + forbidden);
        return MountedFile.of(newFolder(), daemon.uri(device));
    }

    /** Empty where nbdfuse can mount another server's disk. */
    private static String whyFuseIsForbidden() throws IOException {
        try (MountedFile _ = MountedFile.of(newFolder(), "[", "nbdkit", "memory", "1M", "]")) {
            return "";
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image", "hda"})
    void ext4IsMadeAndFoundClean(String device) throws IOException {
        Tools.require("mke2fs", "e2fsck");
        try (MountedFile file = mounted(device)) {
            ext4On(file.path().toString());
            Command.of(Tools.pathOf("e2fsck"), "-fn", file.path().toString()).succeed();
        }
    }

    private static void ext4On(String path) {
        Command.of(Tools.pathOf("mke2fs"), "-F", "-q", "-t", "ext4", path).within(LONG).succeed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void badblocksFindsNone(String device) throws IOException {
        Tools.require("badblocks");
        try (MountedFile file = mounted(device)) {
            Command.Outcome outcome =
                    Command.of(Tools.pathOf("badblocks"), "-wsv", file.path().toString())
                            .within(LONG)
                            .succeed();
            assertThat(outcome.errors()).contains("0 bad blocks found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "image"})
    void udfIsMadeAndRecognised(String device) throws IOException {
        Tools.require("mkudffs", "udfinfo");
        try (MountedFile file = mounted(device)) {
            String path = file.path().toString();
            Command.of(Tools.pathOf("mkudffs"), "--media-type=hd", "--blocksize=512")
                    .and("--label=spindle", path)
                    .succeed();
            assertThat(Command.of(udfinfo(), path).succeed().output()).contains("label=spindle");
        }
    }

    private static String udfinfo() {
        return Tools.pathOf("udfinfo");
    }

    @Test
    void aLoopDeviceOnItIsMountedAndKeepsFiles() throws IOException {
        Tools.require("losetup", "mke2fs", "e2fsck");
        String forbidden = whyLoopDevicesAreForbidden();
        Assumptions.assumeTrue(
                forbidden.isEmpty(),
                "left out: losetup and mount, as this machine mounts a loop device of a plain file"
                        + " no more than ours: "
                        + forbidden);
        try (MountedFile file = mounted("image")) {
            ext4On(file.path().toString());
            writesAndReads(file.path());
            Command.of(Tools.pathOf("e2fsck"), "-fn", file.path().toString()).succeed();
        }
    }

    /** Empty where root may make a loop device of a plain file and mount it. */
    private static String whyLoopDevicesAreForbidden() throws IOException {
        Path plain = Files.createTempFile(folder, "plain", ".img");
        Command.of("truncate", "-s", "8M", plain.toString()).succeed();
        ext4On(plain.toString());
        try {
            writesAndReads(plain);
            return "";
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void writesAndReads(Path image) throws IOException {
        String losetup = Tools.pathOf("losetup");
        String loop = Command.of(losetup, "-f", "--show", image.toString()).succeed().output();
        try {
            Path at = newFolder();
            mount(loop.strip(), at);
            byte[] data = Files.readAllBytes(Tools.home().resolve("pom.xml"));
            Files.write(at.resolve("file"), data);
            Command.of("umount", at.toString()).within(LONG).succeed();
            mount(loop.strip(), at);
            assertThat(at.resolve("file")).hasBinaryContent(data);
            Command.of("umount", at.toString()).within(LONG).succeed();
        } finally {
            Command.of(losetup, "-d", loop.strip()).run();
        }
    }

    private static void mount(String loop, Path at) {
        Command.of("mount", "-t", "ext4", loop, at.toString()).within(LONG).succeed();
    }
}
