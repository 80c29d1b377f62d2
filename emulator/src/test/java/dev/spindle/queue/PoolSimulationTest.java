package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random takes, frees, wakes and changes of size, beside a model that is written down from the
 * rules and not from the code: batches of 32 requests and 20 ms, the hard cap, first asleep first
 * awake. Replay one seed: {@code mvn -pl emulator test -Dtest=PoolSimulationTest -Dspindle.seed=N}.
 */
class PoolSimulationTest {
    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void doesAsTheRulesSay(long seed) {
        new Run(seed).play();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void wakesInTheOrderOfItsPolicy(long seed) {
        var random = new WakePolicy(WakePolicy.Order.RANDOM, seed);
        var other = new WakePolicy(WakePolicy.Order.RANDOM, seed + 1000);
        var lifo = new WakePolicy(WakePolicy.Order.LIFO, seed);
        List<Integer> first = wokenBy(WakePolicy.FIRST_COME, 0);
        assertThat(first).isSorted().hasSize(40);
        assertThat(wokenBy(lifo, 0).reversed()).isEqualTo(first);
        assertThat(wokenBy(random, 0)).isNotEqualTo(wokenBy(other, 0)).hasSize(40);
        assertThat(wokenBy(random, 20)).as("set again").isEqualTo(wokenBy(random, 0));
    }

    /** The order in which forty sleepers wake; after so many the same policy is set again. */
    private static List<Integer> wokenBy(WakePolicy policy, int setAgainAfter) {
        RequestPool pool = new RequestPool(4, true, policy);
        Map<Submitter, Integer> numbers = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            Submitter sleeper = Submitter.thatNeedsNoNews();
            numbers.put(sleeper, i);
            pool.sleep(sleeper);
        }
        List<Integer> woken = new ArrayList<>();
        for (Submitter next = pool.wake(0); next != null; next = pool.wake(0)) {
            woken.add(numbers.get(next));
            if (woken.size() == setAgainAfter) {
                pool.wakeBy(policy);
            }
        }
        return woken;
    }

    /** What a submitter is entitled to. */
    private static final class Batch {
        private int left;
        private long sinceNs;

        boolean isGood(long nowNs) {
            boolean isUntouched = left == 32;
            boolean isFresh = nowNs < sinceNs + 20_000_000;
            return isUntouched || (left > 0 && isFresh);
        }

        void renew(long nowNs) {
            if (!isGood(nowNs)) {
                left = 32;
                sinceNs = nowNs;
            }
        }
    }

    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final List<Submitter> submitters = new ArrayList<>();
        private final Map<Submitter, Batch> batches = new HashMap<>();
        private final ArrayDeque<Submitter> asleep = new ArrayDeque<>();
        private final RequestPool pool;
        private int nr;
        private boolean hasCap;
        private boolean isFull;
        private int taken;
        private long nowNs;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=PoolSimulationTest -Dspindle.seed=" + seed;
            nr = 4 + random.nextInt(60);
            hasCap = random.nextBoolean();
            pool = new RequestPool(nr, hasCap, WakePolicy.FIRST_COME);
            for (int i = 0; i < 6; i++) {
                submitters.add(Submitter.thatNeedsNoNews());
            }
        }

        void play() {
            for (int i = 0; i < 3000; i++) {
                switch (random.nextInt(50)) {
                    case 0 -> resize();
                    case 1, 2, 3, 4 -> nowNs += random.nextLong(9_000_000);
                    case 5 -> nowNs += 20_000_000;
                    default -> takeOrFree();
                }
                assertThat(pool.count()).as(replay).isEqualTo(taken);
                assertThat(pool.sleeping()).as(replay).isEqualTo(asleep.size());
            }
        }

        private void takeOrFree() {
            int times = 1 + random.nextInt(40);
            boolean isTaking = random.nextInt(100) < 55;
            Submitter whose = submitters.get(random.nextInt(submitters.size()));
            for (int i = 0; i < times; i++) {
                if (!isTaking) {
                    freeOne();
                } else if (!asleep.contains(whose)) {
                    take(whose, random.nextInt(20) == 0);
                }
            }
        }

        private void take(Submitter submitter, boolean isExempt) {
            Batch batch = batch(submitter);
            if (taken >= nr - 1 && !isFull) {
                isFull = true;
                batch.renew(nowNs);
            }
            boolean isBatcher = batch.isGood(nowNs);
            boolean isAtCap = hasCap && taken >= nr * 3 / 2;
            boolean isRefused = isAtCap || (isFull && !isBatcher && !isExempt);
            assertThat(pool.tryTake(submitter, isExempt, nowNs))
                    .as("%s: taken=%d nr=%d full=%s", replay, taken, nr, isFull)
                    .isEqualTo(!isRefused);
            if (isRefused) {
                pool.sleep(submitter);
                asleep.addLast(submitter);
            } else {
                batch.left -= isBatcher ? 1 : 0;
                taken++;
            }
        }

        private Batch batch(Submitter submitter) {
            return batches.computeIfAbsent(submitter, _ -> new Batch());
        }

        private void freeOne() {
            if (taken == 0) {
                return;
            }
            pool.free();
            taken--;
            if (taken < nr) {
                isFull = false;
            }
            wakeOne();
        }

        private boolean wakeOne() {
            Submitter expected = taken < nr ? asleep.pollFirst() : null;
            assertThat(pool.wake(nowNs)).as(replay).isSameAs(expected);
            if (expected != null) {
                batch(expected).renew(nowNs);
            }
            return expected != null;
        }

        private void resize() {
            nr = 4 + random.nextInt(60);
            hasCap = random.nextBoolean();
            pool.resize(nr, hasCap);
            isFull = taken >= nr;
            boolean hasWoken;
            do {
                hasWoken = wakeOne();
            } while (hasWoken);
        }
    }
}
