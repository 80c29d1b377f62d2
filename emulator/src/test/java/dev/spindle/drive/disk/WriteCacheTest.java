package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WriteCacheTest {
    private final WriteCache cache = new WriteCache(1000);

    @Test
    void joinsRunsThatTouch() {
        cache.add(10, 20);
        cache.add(30, 40);
        cache.add(20, 30);
        assertThat(cache.holds(10, 40)).isTrue();
        assertThat(cache.nextSectors()).isEqualTo(30);
        assertThat(cache.sectors()).isEqualTo(30);
    }

    @Test
    void countsSectorsWrittenTwiceOnce() {
        cache.add(10, 30);
        cache.add(20, 40);
        assertThat(cache.sectors()).isEqualTo(30);
    }

    @Test
    void leavesUpwardsAndThenFromTheLowestAgain() {
        cache.add(500, 510);
        cache.removeNext(10);
        cache.add(100, 110);
        cache.add(600, 610);
        assertThat(cache.nextFirst()).isEqualTo(600);
        cache.removeNext(10);
        assertThat(cache.nextFirst()).isEqualTo(100);
    }

    /**
     * Against a bit for each sector. Replay: {@code mvn -pl emulator test -Dtest=WriteCacheTest};
     * the seed is fixed.
     */
    @Test
    void agreesWithABitForEachSector() {
        long seed = 20061103;
        var random = new SplittableRandom(seed);
        var oracle = new BitSet();
        for (int i = 0; i < 20_000; i++) {
            int first = random.nextInt(400);
            int end = first + 1 + random.nextInt(40);
            if (random.nextInt(3) == 0) {
                cache.remove(first, end);
                oracle.clear(first, end);
            } else if (random.nextInt(4) == 0 && !cache.isEmpty()) {
                long next = cache.nextFirst();
                long count = 1 + random.nextLong(cache.nextSectors());
                cache.removeNext(count);
                oracle.clear((int) next, (int) (next + count));
            } else {
                cache.add(first, end);
                oracle.set(first, end);
            }
            assertThat(cache.sectors())
                    .as("seed %d step %d", seed, i)
                    .isEqualTo(oracle.cardinality());
            int clear = oracle.nextClearBit(first);
            assertThat(cache.holds(first, end))
                    .as("seed %d step %d", seed, i)
                    .isEqualTo(clear >= end);
        }
    }
}
