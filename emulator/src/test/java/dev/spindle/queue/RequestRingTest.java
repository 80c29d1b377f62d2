package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestRingTest {
    private final Submitter submitter = Submitter.thatNeedsNoNews();

    private static BlockRequest numbered(int number) {
        return new BlockRequest((_, _) -> {}).prepare(BlockOperation.READ, 0, 512, number);
    }

    @Test
    void givesBackWhatWasOfferedInOrder() {
        var ring = new RequestRing(8);
        for (int i = 0; i < 5; i++) {
            assertThat(ring.offer(numbered(i), submitter)).isTrue();
        }
        List<Long> taken = new ArrayList<>();
        assertThat(ring.drain((request, _) -> taken.add(request.cookie()))).isEqualTo(5);
        assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(ring.hasMore()).isFalse();
    }

    @Test
    void refusesWhenFullAndTakesAgainOnceDrained() {
        var ring = new RequestRing(4);
        for (int i = 0; i < 4; i++) {
            assertThat(ring.offer(numbered(i), submitter)).isTrue();
        }
        assertThat(ring.offer(numbered(4), submitter)).isFalse();
        ring.drain((_, _) -> {});
        assertThat(ring.offer(numbered(4), submitter)).isTrue();
    }

    @Test
    void losesNothingBetweenManyProducers() throws InterruptedException {
        int producers = 4;
        int each = 20_000;
        var ring = new RequestRing(64);
        var done = new CountDownLatch(producers);
        for (int p = 0; p < producers; p++) {
            int producer = p;
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        for (int i = 0; i < each; i++) {
                            BlockRequest request = numbered(producer * each + i);
                            while (!ring.offer(request, submitter)) {
                                Thread.onSpinWait();
                            }
                        }
                        done.countDown();
                    });
        }
        long[] last = {-1, -1, -1, -1};
        int taken = 0;
        while (taken < producers * each) {
            taken +=
                    ring.drain((request, _) -> {
                        int producer = (int) (request.cookie() / each);
                        assertThat(request.cookie()).isGreaterThan(last[producer]);
                        last[producer] = request.cookie();
                    });
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ring.hasMore()).isFalse();
    }
}
