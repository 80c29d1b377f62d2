package dev.spindle.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShimMapTest {
    private static final ShimMap.Line HDA = line("hda");
    private static final ShimMap.Line HDB = line("hdb");

    @TempDir private Path folder;

    private static ShimMap.Line line(String name) {
        return new ShimMap.Line(
                name,
                "/dev/" + name,
                Path.of("/run/nbd.sock"),
                Path.of("/run/" + name + ".queue"),
                Optional.of(Path.of("/run/shm.sock")));
    }

    @Test
    void hasOneLineADeviceWithTabsBetweenItsFields() throws IOException {
        Path file = folder.resolve("shim.map");
        new ShimMap(List.of(HDA)).write(file);
        assertThat(Files.readAllLines(file).stream().filter(text -> !text.startsWith("#")))
                .containsExactly("hda\t/dev/hda\t/run/nbd.sock\t/run/hda.queue\t/run/shm.sock");
    }

    @Test
    void isReadAsItWasWritten() throws IOException {
        Path file = folder.resolve("shim.map");
        ShimMap map = new ShimMap(List.of(HDA, HDB));
        map.write(file);
        assertThat(ShimMap.read(file)).isEqualTo(map);
    }

    @Test
    void leavesOutTheSharedMemoryWhereThereIsNone() throws IOException {
        Path file = folder.resolve("shim.map");
        ShimMap map = new ShimMap(List.of(HDA), "no room").withoutSharedMemory();
        map.write(file);
        assertThat(Files.readAllLines(file))
                .contains(
                        "# no shared memory: no room",
                        "hda\t/dev/hda\t/run/nbd.sock\t/run/hda.queue");
        assertThat(ShimMap.read(file)).isEqualTo(map);
    }

    @Test
    void canBeCutDownToOneDevice() {
        ShimMap map = new ShimMap(List.of(HDA, HDB));
        assertThat(map.only("hdb").lines()).containsExactly(HDB);
        assertThat(map.only("hdc").lines()).isEmpty();
    }

    @Test
    void refusesALineWithoutFourFields() throws IOException {
        Path file = Files.writeString(folder.resolve("shim.map"), "hda\t/dev/hda\n");
        assertThatThrownBy(() -> ShimMap.read(file)).hasMessageContaining("no four fields");
    }
}
