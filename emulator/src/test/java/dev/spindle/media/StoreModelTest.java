package dev.spindle.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations against a byte array. Replay: {@code mvn -pl emulator test
 * -Dtest=StoreModelTest}; the seeds are the cases.
 */
class StoreModelTest {
    private static final int CAPACITY = 3 << 20;
    @TempDir Path folder;

    @ParameterizedTest(name = "memory, seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void aMemoryStoreIsAByteArray(long seed) throws IOException {
        try (var store = new MemoryStore(CAPACITY)) {
            play(store, seed, 3000);
        }
    }

    @ParameterizedTest(name = "memory in huge pages, seed {0}")
    @ValueSource(longs = {6, 7})
    void aMemoryStoreOfHugePagesIsAByteArray(long seed) throws IOException {
        try (var store = MemoryStore.withHugePages(CAPACITY)) {
            play(store, seed, 3000);
        }
    }

    @ParameterizedTest(name = "file, seed {0}")
    @ValueSource(longs = {4, 5})
    void aFileStoreIsAByteArray(long seed) throws IOException {
        try (var store = FileStore.open(folder.resolve("image"), CAPACITY, true, false)) {
            play(store, seed, 600);
        }
    }

    private static void play(BackingStore store, long seed, int steps) throws IOException {
        var random = new SplittableRandom(seed);
        byte[] oracle = new byte[CAPACITY];
        for (int step = 0; step < steps; step++) {
            int offset = random.nextInt(CAPACITY);
            int length =
                    1 + random.nextInt(Math.min(CAPACITY - offset, 1 << (1 + random.nextInt(18))));
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    byte[] data = new byte[length + 3];
                    random.nextBytes(data);
                    store.write(offset, ByteBuffer.wrap(data), 3, length);
                    System.arraycopy(data, 3, oracle, offset, length);
                }
                case 2 -> {
                    store.discard(offset, length);
                    Arrays.fill(oracle, offset, offset + length, (byte) 0);
                }
                case 3 -> {
                    store.zero(offset, length);
                    Arrays.fill(oracle, offset, offset + length, (byte) 0);
                }
                default -> {
                    ByteBuffer back = ByteBuffer.allocate(length + 5);
                    store.read(offset, back, 5, length);
                    assertThat(back.slice(5, length))
                            .as("seed %d step %d", seed, step)
                            .isEqualTo(ByteBuffer.wrap(oracle, offset, length));
                }
            }
        }
        ByteBuffer all = ByteBuffer.allocate(CAPACITY);
        store.read(0, all, 0, CAPACITY);
        assertThat(all).as("seed %d", seed).isEqualTo(ByteBuffer.wrap(oracle));
    }
}
