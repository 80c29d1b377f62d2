package dev.spindle.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.ExtentList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where data and holes lie, of memory and of files. */
class ExtentsTest {
    private static final int PAGE = 4096;
    private static final long BIG = 200L << 20;

    @TempDir private Path folder;

    private BackingStore open(String kind, long bytes) throws IOException {
        return kind.equals("memory")
                ? new MemoryStore(bytes)
                : FileStore.open(folder.resolve("image"), bytes, true, false);
    }

    private static void put(BackingStore store, long offset, int length) throws IOException {
        ByteBuffer data = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            data.put(i, (byte) (i + 1));
        }
        store.write(offset, data, 0, length);
    }

    private static List<String> extents(BackingStore store, long offset, long length, int most)
            throws IOException {
        ExtentList list = new ExtentList(most);
        Extents.find(store, offset, length, list);
        List<String> found = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            found.add((list.isHole(i) ? "hole " : "data ") + list.lengthBytes(i));
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void aNewStoreIsOneHole(String kind) throws IOException {
        try (BackingStore store = open(kind, BIG)) {
            assertThat(extents(store, 0, BIG, 9)).containsExactly("hole " + BIG);
            assertThat(extents(store, 512, 512, 9)).containsExactly("hole " + (BIG - 512));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void dataLiesInWholeGrainsBetweenHoles(String kind) throws IOException {
        try (BackingStore store = open(kind, BIG)) {
            put(store, (70 << 20) + 512, 512);
            put(store, BIG - 512, 512);
            assertThat(extents(store, 0, BIG, 9))
                    .containsExactly(
                            "hole " + (70 << 20),
                            "data " + PAGE,
                            "hole " + (BIG - (70 << 20) - 2 * PAGE),
                            "data " + PAGE);
            assertThat(extents(store, (70 << 20) + 1024, 512, 9))
                    .containsExactly("data " + (PAGE - 1024));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void theLastExtentGoesAsFarAsItDoesAndTheListIsBounded(String kind) throws IOException {
        try (BackingStore store = open(kind, BIG)) {
            put(store, 0, PAGE);
            put(store, 2 * PAGE, 4 * PAGE);
            assertThat(extents(store, 0, 3 * PAGE, 9))
                    .containsExactly("data 4096", "hole 4096", "data 16384");
            assertThat(extents(store, 0, BIG, 2)).containsExactly("data 4096", "hole 4096");
            assertThat(extents(store, 0, BIG, 1)).containsExactly("data 4096");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "file"})
    void whatIsDiscardedIsAHoleAgainAndWhatIsZeroedIsNot(String kind) throws IOException {
        try (BackingStore store = open(kind, BIG)) {
            put(store, 0, 8 * PAGE);
            store.discard(PAGE, 2 * PAGE);
            store.zero(4 * PAGE, PAGE);
            assertThat(extents(store, 0, 8 * PAGE, 9))
                    .containsExactly("data 4096", "hole 8192", "data 20480");
            assertThat(store.discardsFast()).isTrue();
        }
    }

    @Test
    void eightTerabytesOfNothingAreWalkedAtOnce() throws IOException {
        try (BackingStore store = new MemoryStore(8L << 40)) {
            put(store, (7L << 40) + PAGE, PAGE);
            assertThat(extents(store, 0, 8L << 40, 9))
                    .containsExactly(
                            "hole " + ((7L << 40) + PAGE),
                            "data 4096",
                            "hole " + ((1L << 40) - 2 * PAGE));
        }
    }

    @Test
    void whatCannotTellHolesIsAllData() throws IOException {
        assertThat(extents(new VoidStore(BIG), 0, 512, 9)).containsExactly("data " + BIG);
    }

    /** Against a bit for every page; the seed is fixed and printed by a failure. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void bothKindsOfStoreAgreeWithAMapOfPages(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int pages = (int) (BIG / PAGE);
        BitSet held = new BitSet();
        try (MemoryStore memory = new MemoryStore(BIG);
                BackingStore file = open("file", BIG)) {
            for (int i = 0; i < 60; i++) {
                int first = random.nextInt(pages - 64);
                int count = random.nextInt(1, 64);
                boolean isWrite = random.nextInt(3) > 0;
                held.set(first, first + count, isWrite);
                for (BackingStore store : List.of(memory, file)) {
                    if (isWrite) {
                        put(store, (long) first * PAGE, count * PAGE);
                    } else {
                        store.discard((long) first * PAGE, (long) count * PAGE);
                    }
                }
            }
            for (int i = 0; i < 200; i++) {
                long offset = 512L * random.nextInt(pages * 8 - 1);
                long length = 512L * random.nextInt(1, (int) (BIG - offset) / 512 + 1);
                int most = random.nextInt(1, 40);
                List<String> expected = model(held, offset, length, most);
                assertThat(extents(memory, offset, length, most)).isEqualTo(expected);
                assertThat(extents(file, offset, length, most)).isEqualTo(expected);
                int part = (int) Math.min(length, 1 << 20);
                assertThat(memory.holeBytes(offset, part) + memory.dataBytes(offset, part))
                        .isEqualTo(Math.min(part, first(expected)));
            }
        }
    }

    private static int first(List<String> expected) {
        return Integer.parseInt(expected.getFirst().substring(5));
    }

    private static List<String> model(BitSet held, long offset, long length, int most) {
        List<String> expected = new ArrayList<>();
        long at = offset;
        while (at < offset + length && expected.size() < most) {
            int page = (int) (at / PAGE);
            boolean isHole = !held.get(page);
            int next = isHole ? held.nextSetBit(page) : held.nextClearBit(page);
            long end = next < 0 ? BIG : Math.min(BIG, (long) next * PAGE);
            expected.add((isHole ? "hole " : "data ") + (end - at));
            at = end;
        }
        return expected;
    }
}
