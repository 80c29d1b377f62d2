package dev.spindle.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {
    private static final int MIB = 1 << 20;
    @TempDir Path folder;
    private Path image = Path.of("image");

    @BeforeEach
    void nameTheImage() {
        image = folder.resolve("disk.img");
    }

    @Test
    void makesASparseImageOnRequest() throws IOException {
        try (var store = FileStore.open(image, 1L << 40, true, false)) {
            assertThat(Files.size(image)).isEqualTo(1L << 40);
            assertThat(store.allocatedBytes()).isZero();
        }
    }

    @Test
    void keepsWhatWasWrittenOverAReopening() throws IOException {
        try (var store = FileStore.open(image, MIB, true, false)) {
            store.write(1000, ByteBuffer.wrap(new byte[] {1, 2, 3}), 0, 3);
            store.flush();
        }
        try (var store = FileStore.open(image, MIB, false, true)) {
            ByteBuffer back = ByteBuffer.allocate(3);
            store.read(1000, back, 0, 3);
            assertThat(back.array()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void discardPunchesHoles() throws IOException {
        try (var store = FileStore.open(image, MIB, true, false)) {
            store.write(0, ByteBuffer.allocate(MIB), 0, MIB);
            assertThat(store.allocatedBytes()).isEqualTo(MIB);
            store.discard(0, MIB / 2);
            assertThat(store.allocatedBytes()).isEqualTo(MIB / 2);
        }
    }

    @Test
    void refusesWhatIsNoRegularFile() {
        Path terminal = Path.of("/dev/null");
        for (boolean isReadOnly : new boolean[] {false, true}) {
            assertThatThrownBy(() -> FileStore.open(terminal, MIB, true, isReadOnly))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("is not a regular file");
        }
    }

    @Test
    void refusesAnImageAnotherStoreHolds() throws IOException {
        try (var _ = FileStore.open(image, MIB, true, false)) {
            assertThatThrownBy(() -> FileStore.open(image, MIB, true, false))
                    .isInstanceOf(IOException.class)
                    .hasMessage("image " + image + " is locked: another process uses it");
        }
        FileStore.open(image, MIB, true, false).close();
    }

    @Test
    void refusesAMissingImageWhenItMayNotMakeOne() {
        assertThatThrownBy(() -> FileStore.open(image, MIB, false, false))
                .hasMessage("image " + image + " does not exist");
    }

    @Test
    void refusesAMissingFolder() {
        Path lost = folder.resolve("no/disk.img");
        assertThatThrownBy(() -> FileStore.open(lost, MIB, true, false))
                .hasMessage("image " + lost + ": no such folder");
    }

    @Test
    void refusesAFolder() {
        assertThatThrownBy(() -> FileStore.open(folder, MIB, true, false))
                .hasMessage("image " + folder + " cannot be opened for writing: is a folder");
    }

    @Test
    void refusesAnImageOfAnotherSizeAndLeavesItAlone() throws IOException {
        Files.write(image, new byte[4096]);
        assertThatThrownBy(() -> FileStore.open(image, MIB, true, false))
                .hasMessage("image " + image + " has 4096 bytes, the device's size is 1048576");
        assertThat(Files.size(image)).isEqualTo(4096);
    }

    @Test
    void anImageCutShortBehindItsBackIsAnErrorNotSilence() throws IOException {
        try (var store = FileStore.open(image, MIB, true, false);
                var other = Files.newByteChannel(image, java.nio.file.StandardOpenOption.WRITE)) {
            other.truncate(4096);
            assertThatThrownBy(() -> store.read(0, ByteBuffer.allocate(8192), 0, 8192))
                    .hasMessageContaining("cut short");
        }
    }
}
