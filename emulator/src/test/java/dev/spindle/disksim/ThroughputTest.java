package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.Submitter;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * How many requests a second pass through queue, elevator and disk in virtual time, on one thread:
 * a count, printed. {@code mvn -pl emulator test -Dtest=ThroughputTest -Dspindle.requests=20000000}
 */
class ThroughputTest {
    private static final int IN_FLIGHT = 16;
    private static final long CAPACITY = 1L << 34;

    /** Far below what any machine does: this is a count, not a gate. */
    private static final double LEAST_PER_SECOND = 20_000;

    private final RequestQueue queue =
            new RequestQueue(
                    QueueSettings.of(128, 128),
                    new IdeDisk(
                            Disks.laptop(), CAPACITY, DataMover.inline(new VoidStore(CAPACITY))),
                    new Counters());
    private final Submitter submitter = Submitter.thatNeedsNoNews();
    private final ByteBuffer data = ByteBuffer.allocate(0);
    private final SplittableRandom random = new SplittableRandom(20061103);
    private long nowNs;
    private int completed;
    private long nextOffset;

    @Test
    void countsRequestsThroughQueueAndDisk() {
        int requests = Integer.getInteger("spindle.requests", 1_000_000);
        double sequential = perSecond(requests, false);
        double scattered = perSecond(requests, true);
        System.out.printf(
                "requests a second in virtual time: %,.0f sequential, %,.0f scattered%n",
                sequential, scattered);
        assertThat(Math.min(sequential, scattered)).isGreaterThan(LEAST_PER_SECOND);
    }

    private double perSecond(int requests, boolean isScattered) {
        run(requests / 4, isScattered);
        long beganNs = System.nanoTime();
        run(requests, isScattered);
        return requests * 1e9 / (System.nanoTime() - beganNs);
    }

    private void run(int requests, boolean isScattered) {
        int goal = completed + requests;
        for (int i = 0; i < IN_FLIGHT; i++) {
            BlockRequest[] own = new BlockRequest[1];
            own[0] =
                    new BlockRequest((_, _) -> {
                        completed++;
                        if (completed <= goal - IN_FLIGHT) {
                            submit(own[0], isScattered);
                        }
                    });
            submit(own[0], isScattered);
        }
        while (completed < goal) {
            nowNs = Math.max(nowNs, queue.nextDeadlineNs());
            queue.advance(nowNs);
        }
    }

    private void submit(BlockRequest request, boolean isScattered) {
        long offset = isScattered ? random.nextLong(CAPACITY >> 12) << 12 : nextOffset;
        nextOffset = (offset + 4096) % CAPACITY;
        boolean isRead = random.nextInt(3) > 0;
        request.prepare(isRead ? BlockOperation.READ : BlockOperation.WRITE, offset, 4096, 0);
        queue.submit(request.withData(data, 0), submitter, nowNs);
    }
}
