package dev.spindle.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credits of processes that are interleaved step by step and die between any two steps. */
class SharedPoolTest {
    private static final int NR_REQUESTS = 40;
    private static final int STEPS = 20_000;

    @TempDir private Path folder;

    /** One process that takes credits as the shim does, a step at a time. */
    private static final class Taker {
        private final PoolFile file;
        private final UnsafeBuffer mapped;
        private final int client;
        private final PoolWaiters waiters;
        private long taken;
        private long given;
        private long seen;
        private boolean hasSeen;
        private boolean hasNoted;

        Taker(PoolFile file, SharedPool pool) {
            this.file = file;
            mapped = new UnsafeBuffer(IoUtil.mapExistingFile(file.path().toFile(), "pool"));
            waiters = new PoolWaiters(new UnsafeBuffer(new byte[4096]));
            client = pool.attach(waiters);
            taken = pool.taken(SharedPool.READS, client);
            given = taken;
        }

        private void note(int last, long number) {
            int at = 4096 + last * Long.BYTES;
            if (SharedPool.difference(number, mapped.getLongVolatile(at)) > 0) {
                mapped.putLongVolatile(at, number);
            }
        }

        /** Look, note what the last one has taken, swap: one of the three. */
        void step() {
            if (!hasSeen) {
                seen = file.word(SharedPool.READS);
                hasSeen = true;
            } else if (!hasNoted) {
                int last = (int) (seen >>> SharedPool.CLIENT_SHIFT) & (PoolFile.CLIENTS - 1);
                if (last != client) {
                    note(last, seen >>> SharedPool.SEQUENCE_SHIFT);
                }
                hasNoted = true;
            } else {
                long next =
                        ((seen & SharedPool.COUNT_MASK) + 1)
                                | (long) client << SharedPool.CLIENT_SHIFT
                                | (taken + 1) << SharedPool.SEQUENCE_SHIFT;
                if (file.swapWord(SharedPool.READS, seen, next)) {
                    taken++;
                }
                hasSeen = false;
                hasNoted = false;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatADeadProcessHeldIsKnownExactly(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        try (PoolFile file = PoolFile.create(folder.resolve("pool"))) {
            SharedPool pool = new SharedPool(file, NR_REQUESTS, new ShmCounters());
            List<Taker> alive = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                if (alive.size() < 3) {
                    alive.add(new Taker(file, pool));
                }
                Taker one = alive.get(random.nextInt(alive.size()));
                int chance = random.nextInt(100);
                if (chance == 0) {
                    alive.remove(one);
                    bury(pool, one, "seed " + seed + " step " + step);
                } else if (chance < 25 && one.given < one.taken) {
                    one.given++;
                    pool.put(SharedPool.READS);
                } else if (pool.count(SharedPool.READS) < NR_REQUESTS) {
                    one.step();
                }
                long held = alive.stream().mapToLong(each -> each.taken - each.given).sum();
                assertThat((long) pool.count(SharedPool.READS))
                        .as("seed %d step %d", seed, step)
                        .isEqualTo(held);
            }
        }
    }

    /** As a session does when its process has died. */
    private static void bury(SharedPool pool, Taker dead, String when) {
        long known = pool.taken(SharedPool.READS, dead.client);
        assertThat(SharedPool.difference(known, dead.taken)).as(when).isZero();
        for (long i = SharedPool.difference(known, dead.given); i > 0; i--) {
            pool.put(SharedPool.READS);
        }
        pool.leave(dead.waiters);
        pool.release(dead.client);
    }

    @Test
    void theNumbersGoRound() {
        long last = SharedPool.SEQUENCE_MASK;
        assertThat(SharedPool.difference(0, last)).isEqualTo(1);
        assertThat(SharedPool.difference(last, 0)).isEqualTo(-1);
        assertThat(SharedPool.difference(last, last - 5)).isEqualTo(5);
    }

    @Test
    void aPoolThatIsFullIsMarkedAndTheMarkGoesWithACreditBack() throws IOException {
        try (PoolFile file = PoolFile.create(folder.resolve("pool"))) {
            SharedPool pool = new SharedPool(file, 4, new ShmCounters());
            assertThat(file.swapWord(SharedPool.READS, 0, 5 | SharedPool.FULL)).isTrue();
            pool.put(SharedPool.READS);
            assertThat(file.word(SharedPool.READS)).isEqualTo(4 | SharedPool.FULL);
            pool.put(SharedPool.READS);
            assertThat(file.word(SharedPool.READS)).isEqualTo(3);
            pool.resize(2);
            assertThat(file.word(SharedPool.READS)).isEqualTo(3 | SharedPool.FULL);
            pool.resize(16);
            assertThat(file.word(SharedPool.READS)).isEqualTo(3);
        }
    }

    @Test
    void theThreadThatWaitsLongestIsWokenWhicheverProcessItIsOf() throws IOException {
        try (PoolFile file = PoolFile.create(folder.resolve("pool"))) {
            SharedPool pool = new SharedPool(file, 4, new ShmCounters());
            List<UnsafeBuffer> channels = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                UnsafeBuffer channel = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
                channels.add(channel);
                pool.attach(new PoolWaiters(channel));
            }
            line(channels.get(0), 3, 12);
            line(channels.get(1), 0, 11);
            line(channels.get(1), 5, 13);
            assertThat(file.swapWord(SharedPool.READS, 0, 3)).isTrue();
            int[][] order = {{1, 0}, {0, 3}, {1, 5}};
            for (int[] next : order) {
                pool.put(SharedPool.READS);
                int cell = ChannelLayout.POOL_CELLS_OFFSET + next[1] * 16;
                assertThat(channels.get(next[0]).getInt(cell + 8)).isEqualTo(1);
            }
        }
    }

    private static void line(UnsafeBuffer channel, int cell, long ticket) {
        channel.putLong(ChannelLayout.POOL_CELLS_OFFSET + cell * 16, ticket);
        int bits = ChannelLayout.POOL_WAITERS_OFFSET;
        channel.putLong(bits, channel.getLong(bits) | 1L << cell);
    }
}
