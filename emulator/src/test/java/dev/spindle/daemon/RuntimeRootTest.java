package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeRootTest {
    @TempDir private Path folder;

    private RuntimeRoot root() {
        return new RuntimeRoot(folder.resolve("root"));
    }

    private Path daemonFolder(String pid) throws IOException {
        root().prepare();
        Path path = Files.createDirectory(root().path().resolve(pid));
        Files.createFile(path.resolve(RuntimeFolder.LOCK));
        Files.createFile(path.resolve(RuntimeFolder.CONTROL_SOCKET));
        return path;
    }

    @Test
    void isWhereTheEnvironmentSays() throws IOException {
        assertThat(RuntimeRoot.of(Map.of("SPINDLE_RUNTIME_DIR", "/a", "XDG_RUNTIME_DIR", "/b")))
                .isEqualTo(new RuntimeRoot(Path.of("/a")));
        assertThat(RuntimeRoot.of(Map.of("SPINDLE_RUNTIME_DIR", "", "XDG_RUNTIME_DIR", "/b")))
                .isEqualTo(new RuntimeRoot(Path.of("/b/spindle")));
        Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        assertThat(RuntimeRoot.of(Map.of()))
                .isEqualTo(new RuntimeRoot(Path.of("/tmp/spindle-" + uid)));
    }

    @Test
    void isMadeForUsAlone() throws IOException {
        root().prepare();
        root().prepare();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root().path())))
                .isEqualTo("rwx------");
    }

    @Test
    void isRefusedWhereOthersCanEnter() throws IOException {
        root().prepare();
        Files.setPosixFilePermissions(root().path(), PosixFilePermissions.fromString("rwxr-x---"));
        assertThatThrownBy(() -> root().prepare())
                .hasMessageContaining("is open to others (rwxr-x---): chmod 700 it");
        assertThatThrownBy(() -> root().live()).hasMessageContaining("open to others");
    }

    @Test
    void isRefusedWhereItIsNoFolder() throws IOException {
        Files.createFile(root().path());
        assertThatThrownBy(() -> root().prepare()).hasMessageContaining("is no folder");
    }

    @Test
    void isRefusedWhereItIsALink() throws IOException {
        Files.createSymbolicLink(root().path(), Files.createDirectory(folder.resolve("other")));
        assertThatThrownBy(() -> root().prepare()).hasMessageContaining("is a symbolic link");
    }

    @Test
    void isRefusedWhereNoSocketCanBeNamedInIt() {
        RuntimeRoot broken = new RuntimeRoot(folder.resolve("a\nb"));
        assertThatThrownBy(() -> RuntimeFolder.create(broken, 1, false))
                .hasMessageContaining("a?b/1/control.sock has a control character");
        RuntimeRoot deep = new RuntimeRoot(folder.resolve("x".repeat(100)));
        assertThatThrownBy(() -> RuntimeFolder.create(deep, 1, false))
                .hasMessageContaining("at most 107 are possible; SPINDLE_RUNTIME_DIR");
    }

    @Test
    void saysWhichFolderAboveIsMissing() {
        RuntimeRoot root = new RuntimeRoot(folder.resolve("no/root"));
        assertThatThrownBy(root::prepare).hasMessageContaining("no does not exist");
    }

    @Test
    void hasNoDaemonsBeforeThereIsOne() throws IOException {
        assertThat(root().live()).isEmpty();
        assertThat(root().path()).doesNotExist();
    }

    @Test
    void findsADaemonOnceItIsReadyAndUntilItIsClosed() throws IOException {
        try (RuntimeFolder own = RuntimeFolder.create(root(), 4711, false)) {
            assertThat(root().live()).isEmpty();
            Files.createFile(own.controlSocket());
            LiveDaemon found = new LiveDaemon(4711, own.path());
            assertThat(root().live()).containsExactly(found);
            assertThat(found.isPrivate()).isFalse();
            assertThat(found.shimMap()).isEqualTo(own.shimMap());
        }
        assertThat(root().live()).isEmpty();
        assertThat(root().path()).isEmptyDirectory();
    }

    @Test
    void tellsAPrivateDaemonFromOneForAll() throws IOException {
        try (RuntimeFolder own = RuntimeFolder.create(root(), 4711, true)) {
            assertThat(new LiveDaemon(4711, own.path()).isPrivate()).isTrue();
        }
    }

    @Test
    void removesWhatAKilledDaemonLeftBehindAndNothingElse() throws IOException {
        Path stale = daemonFolder("4712");
        Files.createFile(stale.resolve("hda.queue"));
        Path foreign = Files.createFile(root().path().resolve("notes.txt"));
        assertThat(root().live()).isEmpty();
        assertThat(stale).doesNotExist();
        assertThat(foreign).exists();
    }

    @Test
    void keepsAFolderWhoseLockIsHeld() throws IOException {
        Path alive = daemonFolder("4713");
        try (FileChannel lock =
                FileChannel.open(alive.resolve(RuntimeFolder.LOCK), StandardOpenOption.WRITE)) {
            assertThat(lock.tryLock()).isNotNull();
            assertThat(root().live()).containsExactly(new LiveDaemon(4713, alive));
        }
    }

    @Test
    void givesAStaleFolderToTheNextDaemonOfThatPid() throws IOException {
        Path stale = daemonFolder("4714");
        try (RuntimeFolder own = RuntimeFolder.create(root(), 4714, false)) {
            assertThat(own.path()).isEqualTo(stale);
            assertThat(own.controlSocket()).doesNotExist();
        }
    }

    @Test
    void refusesASecondDaemonInTheSameFolder() throws IOException {
        try (RuntimeFolder _ = RuntimeFolder.create(root(), 4715, false)) {
            assertThatThrownBy(() -> RuntimeFolder.create(root(), 4715, false))
                    .hasMessageContaining("in use by another daemon");
        }
    }

    @Test
    void refusesAFolderTooLongForASocket() {
        RuntimeRoot root = new RuntimeRoot(folder.resolve("x".repeat(100)));
        assertThatThrownBy(() -> RuntimeFolder.create(root, 1, false))
                .hasMessageContaining("at most 107 are possible")
                .hasMessageContaining("SPINDLE_RUNTIME_DIR");
    }
}
