package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestPoolTest {
    private static final long T0 = 1_000_000_000;
    private final Submitter first = Submitter.thatNeedsNoNews();
    private final Submitter second = Submitter.thatNeedsNoNews();

    private static int takeAll(RequestPool pool, Submitter submitter, long nowNs) {
        int taken = 0;
        while (taken < 10_000 && pool.tryTake(submitter, false, nowNs)) {
            taken++;
        }
        return taken;
    }

    @Test
    void whoeverFillsThePoolMayTakeABatchBeyondIt() {
        var pool = new RequestPool(128, true, WakePolicy.FIRST_COME);
        assertThat(takeAll(pool, first, T0)).isEqualTo(127 + RequestPool.BATCH_REQUESTS);
        assertThat(pool.tryTake(second, false, T0)).isFalse();
    }

    @Test
    void aBatchIsGoodFor20MillisecondsOnly() {
        var pool = new RequestPool(128, true, WakePolicy.FIRST_COME);
        for (int i = 0; i < 130; i++) {
            assertThat(pool.tryTake(first, false, T0)).isTrue();
        }
        assertThat(pool.tryTake(first, false, T0 + RequestPool.BATCH_NS - 1)).isTrue();
        assertThat(pool.tryTake(first, false, T0 + RequestPool.BATCH_NS)).isFalse();
    }

    @Test
    void theHardCapRefusesEvenABatcher() {
        assertThat(takeAll(new RequestPool(8, true, WakePolicy.FIRST_COME), first, T0))
                .isEqualTo(12);
        assertThat(takeAll(new RequestPool(8, false, WakePolicy.FIRST_COME), second, T0))
                .isEqualTo(7 + RequestPool.BATCH_REQUESTS);
    }

    @Test
    void aFreedRequestWakesOneSleeperInTheOrderTheyFellAsleep() {
        var pool = new RequestPool(4, true, WakePolicy.FIRST_COME);
        takeAll(pool, Submitter.thatNeedsNoNews(), T0);
        pool.sleep(first);
        pool.sleep(second);
        assertThat(pool.wake(T0)).as("still above nr_requests").isNull();
        while (pool.count() >= 4) {
            pool.free();
        }
        assertThat(pool.wake(T0)).isSameAs(first);
        assertThat(pool.wake(T0)).isSameAs(second);
        assertThat(pool.wake(T0)).isNull();
    }

    @Test
    void aWokenSleeperIsABatcherSoItGetsItsRequestEvenFromAFullPool() {
        var pool = new RequestPool(4, true, WakePolicy.FIRST_COME);
        takeAll(pool, second, T0);
        pool.sleep(first);
        while (pool.count() >= 4) {
            pool.free();
        }
        Submitter woken = pool.wake(T0);
        assertThat(woken).isSameAs(first);
        assertThat(pool.tryTake(first, false, T0)).isTrue();
        assertThat(pool.tryTake(first, false, T0)).isTrue();
    }

    @Test
    void growingThePoolOpensItAtOnce() {
        var pool = new RequestPool(4, true, WakePolicy.FIRST_COME);
        takeAll(pool, second, T0);
        assertThat(pool.tryTake(first, false, T0)).isFalse();
        pool.resize(128, true);
        assertThat(pool.tryTake(first, false, T0)).isTrue();
    }

    @Test
    void shrinkingThePoolClosesItAtOnce() {
        var pool = new RequestPool(128, true, WakePolicy.FIRST_COME);
        for (int i = 0; i < 64; i++) {
            pool.tryTake(second, false, T0);
        }
        pool.resize(32, true);
        assertThat(pool.tryTake(first, false, T0)).isFalse();
    }
}
