package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.CongestionMarks;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.NullDrive;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.MemoryStore;
import dev.spindle.metrics.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RequestQueueTest {
    private static final int KIB = 1024;
    private final Submitter submitter = Submitter.thatNeedsNoNews();

    private static Drive disk() {
        return new IdeDisk(Disks.simple(), 64 << 20, DataMover.inline(new MemoryStore(64 << 20)));
    }

    private static VirtualDevice device(int nrRequests, int maxSectorsKb) {
        return new VirtualDevice(QueueSettings.of(nrRequests, maxSectorsKb), disk());
    }

    @Test
    void cutsARequestByMaxSectors() {
        VirtualDevice device = device(128, 128);
        device.submit(device.request(BlockOperation.READ, 0, 1 << 20), submitter);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(8);
        assertThat(device.completed()).isEqualTo(1);
    }

    @Test
    void joinsNeighboursUpToMaxSectors() {
        VirtualDevice device = device(128, 128);
        device.submit(device.request(BlockOperation.READ, 32 << 20, 4 * KIB), submitter);
        for (int i = 0; i < 64; i++) {
            device.submit(device.request(BlockOperation.READ, i * 4L * KIB, 4 * KIB), submitter);
        }
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(1 + 2);
        assertThat(device.counters().get(Counter.MERGES)).isEqualTo(62);
        assertThat(device.completed()).isEqualTo(65);
    }

    @Test
    void countsAsTheKernelsStatDoes() {
        VirtualDevice device = device(128, 128);
        device.submit(device.request(BlockOperation.READ, 32 << 20, 4 * KIB), submitter);
        for (int i = 0; i < 8; i++) {
            device.submit(device.request(BlockOperation.READ, i * 4L * KIB, 4 * KIB), submitter);
        }
        device.submit(device.request(BlockOperation.FLUSH, 0, 0), submitter);
        device.drain();
        DiskStatistics statistics = device.queue().statistics();
        assertThat(statistics.reads().commands()).isEqualTo(2);
        assertThat(statistics.reads().merges()).isEqualTo(7);
        assertThat(statistics.reads().sectors()).isEqualTo(9 * 8);
        assertThat(statistics.flushes().commands()).isOne();
        assertThat(statistics.writes().commands()).isZero();
        assertThat(statistics.busyNs()).isPositive();
        assertThat(statistics.reads().spentNs()).isGreaterThanOrEqualTo(statistics.busyNs());
    }

    @Test
    void whatPassesThroughIsNeitherCutNorJoinedAndGoesFirst() {
        VirtualDevice device = device(128, 128);
        List<Long> order = new ArrayList<>();
        BlockRequest running = noting(order, 32 << 20, 4 * KIB);
        BlockRequest waiting = noting(order, 0, 4 * KIB);
        BlockRequest passing = noting(order, 4 * KIB, 1 << 20).passingThrough();
        for (BlockRequest request : List.of(running, waiting, passing)) {
            device.submit(request, submitter);
        }
        device.submit(noting(order, 4 * KIB + (1 << 20), 4 * KIB), submitter);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(4);
        assertThat(device.counters().get(Counter.MERGES)).isZero();
        assertThat(order.subList(0, 2)).containsExactly(32L << 20, 4L * KIB);
    }

    private static BlockRequest noting(List<Long> order, long offsetBytes, long lengthBytes) {
        return new BlockRequest((ended, _) -> order.add(ended.offsetBytes()))
                .prepare(BlockOperation.READ, offsetBytes, lengthBytes, 0)
                .withData(ByteBuffer.allocate((int) lengthBytes), 0);
    }

    @Test
    void aJoinedRequestTakesNothingFromThePool() {
        VirtualDevice device = device(4, 128);
        device.submit(device.request(BlockOperation.READ, 32 << 20, 4 * KIB), submitter);
        for (int i = 31; i >= 0; i--) {
            device.submit(device.request(BlockOperation.READ, i * 4L * KIB, 4 * KIB), submitter);
        }
        assertThat(device.queue().state().readRequests()).isEqualTo(2);
        assertThat(submitter.isWaiting()).isFalse();
    }

    @Test
    void aPartThatFillsAGapGivesARequestBack() {
        VirtualDevice device = device(128, 128);
        for (int from : new int[] {32 << 20, 0, 8 * KIB}) {
            device.submit(device.request(BlockOperation.READ, from, 4 * KIB), submitter);
        }
        assertThat(device.queue().state().readRequests()).isEqualTo(3);
        device.submit(device.request(BlockOperation.READ, 4 * KIB, 4 * KIB), submitter);
        assertThat(device.queue().state().readRequests()).isEqualTo(2);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(2);
        assertThat(device.completed()).isEqualTo(4);
    }

    @Test
    void doesNotJoinReadsWithWritesNorFuaWithPlainWrites() {
        VirtualDevice device = device(128, 128);
        ByteBuffer data = ByteBuffer.allocateDirect(4 * KIB);
        device.submit(device.request(BlockOperation.READ, 32 << 20, 4 * KIB), submitter);
        device.submit(device.request(BlockOperation.READ, 0, 4 * KIB), submitter);
        device.submit(
                device.request(BlockOperation.WRITE, 4 * KIB, 4 * KIB).withData(data, 0),
                submitter);
        device.submit(
                device.request(BlockOperation.WRITE, 8 * KIB, 4 * KIB)
                        .withData(data, 0)
                        .withFua(true),
                submitter);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(4);
    }

    @Test
    void readsAndWritesHavePoolsOfTheirOwn() {
        VirtualDevice device = device(4, 128);
        ByteBuffer data = ByteBuffer.allocateDirect(1 << 20);
        device.submit(
                device.request(BlockOperation.WRITE, 0, 1 << 20).withData(data, 0), submitter);
        Submitter reader = Submitter.thatNeedsNoNews();
        device.submit(device.request(BlockOperation.READ, 8 << 20, 4 * KIB), reader);
        assertThat(submitter.isWaiting()).isTrue();
        assertThat(reader.isWaiting()).isFalse();
        device.drain();
        assertThat(device.completed()).isEqualTo(2);
    }

    @Test
    void aSubmittersRequestsAreAdmittedInOrder() {
        VirtualDevice device = device(4, 128);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            var request = new BlockRequest((_, _) -> order.add(number));
            device.submit(
                    request.prepare(BlockOperation.READ, (long) i << 20, 1 << 20, 0), submitter);
        }
        device.drain();
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void saysWhenNobodyOfASubmitterWaitsAnyMore() {
        int[] news = new int[1];
        var sleeper = new Submitter(() -> news[0]++);
        VirtualDevice device = device(4, 128);
        device.submit(device.request(BlockOperation.READ, 0, 2 << 20), sleeper);
        assertThat(sleeper.isWaiting()).isTrue();
        assertThat(news[0]).isZero();
        device.drain();
        assertThat(sleeper.isWaiting()).isFalse();
        assertThat(news[0]).isEqualTo(1);
    }

    @Test
    void raisingNrRequestsWakesThoseWhoWaitAtOnce() {
        VirtualDevice device = device(4, 128);
        device.submit(device.request(BlockOperation.READ, 0, 4 << 20), submitter);
        assertThat(submitter.isWaiting()).isTrue();
        device.queue().apply(QueueSettings.of(128, 128), device.nowNs());
        assertThat(submitter.isWaiting()).isFalse();
    }

    @Test
    void theHardCapSwitchedOffWakesNobodyAboveNrRequests() {
        VirtualDevice device = device(4, 128);
        device.submit(device.request(BlockOperation.READ, 0, 32 << 20), submitter);
        int before = device.queue().state().readRequests();
        device.queue()
                .apply(
                        new QueueSettings(4, 128, false, CongestionMarks.ofRequests(4)),
                        device.nowNs());
        assertThat(device.queue().state().readRequests()).isEqualTo(before);
        device.drain();
        assertThat(device.completed()).isEqualTo(1);
    }

    @Test
    void lowersMaxSectorsForWhatIsYetToBeCut() {
        VirtualDevice device = device(128, 128);
        device.submit(device.request(BlockOperation.READ, 0, 256 * KIB), submitter);
        device.queue().apply(QueueSettings.of(128, 4), device.nowNs());
        device.submit(device.request(BlockOperation.READ, 16 << 20, 16 * KIB), submitter);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(2 + 4);
    }

    @Test
    void setsTheCongestionFlagAtOnAndClearsItOnlyBelowOff() {
        VirtualDevice device = device(128, 128);
        for (int i = 0; i < 112; i++) {
            device.submit(device.request(BlockOperation.READ, i * 512L * KIB, 4 * KIB), submitter);
        }
        assertThat(device.queue().state().isReadCongested()).isFalse();
        device.submit(device.request(BlockOperation.READ, 120 * 512L * KIB, 4 * KIB), submitter);
        assertThat(device.queue().state().isReadCongested()).isTrue();
        while (device.queue().state().readRequests() > 103) {
            device.step();
            assertThat(device.queue().state().isReadCongested()).isTrue();
        }
        device.step();
        assertThat(device.queue().state().readRequests()).isEqualTo(102);
        assertThat(device.queue().state().isReadCongested()).isFalse();
        assertThat(device.counters().get(Counter.READ_CONGESTED)).isEqualTo(1);
    }

    @Test
    void aFlushAndADiscardAreNotCut() {
        VirtualDevice device = device(128, 4);
        device.submit(device.request(BlockOperation.DISCARD, 0, 32 << 20), submitter);
        device.submit(device.request(BlockOperation.FLUSH, 0, 0), submitter);
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(2);
        assertThat(device.completed()).isEqualTo(2);
    }

    @Test
    void aDriveWithoutDelaysCompletesWithinSubmission() {
        var drive = new NullDrive(DataMover.inline(new MemoryStore(64 << 20)));
        var device = new VirtualDevice(QueueSettings.of(4, 4), drive);
        device.submit(device.request(BlockOperation.READ, 0, 1 << 20), submitter);
        assertThat(device.completed()).isEqualTo(1);
        assertThat(submitter.isWaiting()).isFalse();
    }

    @Test
    void aLateCallerDoesNotDelayTheDrive() {
        VirtualDevice punctual = device(128, 128);
        VirtualDevice late = device(128, 128);
        for (VirtualDevice device : List.of(punctual, late)) {
            for (int i = 0; i < 20; i++) {
                device.submit(
                        device.request(BlockOperation.READ, (i * 2L) << 20, 4 * KIB), submitter);
            }
        }
        punctual.drain();
        late.pass(2_000_000_000);
        assertThat(late.completed()).isEqualTo(20);
        assertThat(late.queue().latencies().readTotal().summary())
                .isEqualTo(punctual.queue().latencies().readTotal().summary());
    }

    @Test
    void aBadSectorFailsItsRequestAtItsPlaceAndNoneThatWasMergedWithIt() {
        var store = new FailingStore(64 << 20, 64 << 20, (1 << 20) + 5 * 512);
        var device =
                new VirtualDevice(
                        QueueSettings.of(128, 128),
                        new IdeDisk(Disks.simple(), 64 << 20, DataMover.inline(store)));
        BlockRequest busy = device.request(BlockOperation.READ, 0, 4096);
        device.submit(busy, submitter);
        List<BlockRequest> reads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            BlockRequest read = device.request(BlockOperation.READ, (1 << 20) + 2048L * i, 2048);
            reads.add(read.withData(ByteBuffer.allocateDirect(2048), 0));
            device.submit(read, submitter);
        }
        device.drain();
        assertThat(device.counters().get(Counter.MERGES)).isEqualTo(3);
        assertThat(reads)
                .extracting(BlockRequest::status)
                .containsExactly(
                        BlockStatus.OK, BlockStatus.IO_ERROR, BlockStatus.OK, BlockStatus.OK);
        assertThat(reads.get(1).failedOffsetBytes()).isEqualTo((1 << 20) + 5 * 512);
        ByteBuffer data = Objects.requireNonNull(reads.get(1).data());
        assertThat(data.get(511)).isEqualTo((byte) 1);
        assertThat(data.get(512)).isEqualTo((byte) 0);
    }

    @Test
    void ofALongReadTheFirstBadPlaceIsTold() {
        var store = new FailingStore(64 << 20, 64 << 20, (1 << 20) + 512);
        var device =
                new VirtualDevice(
                        QueueSettings.of(128, 128), new NullDrive(DataMover.inline(store)));
        BlockRequest read = device.request(BlockOperation.READ, 0, 4 << 20);
        device.submit(read.withData(ByteBuffer.allocateDirect(4 << 20), 0), submitter);
        assertThat(read.status()).isEqualTo(BlockStatus.IO_ERROR);
        assertThat(read.failedOffsetBytes()).isEqualTo((1 << 20) + 512);
    }

    @Test
    void aStoreThatFailsFailsTheRequestAndNothingElse() {
        var store = new FailingStore(64 << 20, 8 << 20);
        var device =
                new VirtualDevice(
                        QueueSettings.of(128, 128), new NullDrive(DataMover.inline(store)));
        BlockRequest bad = device.request(BlockOperation.WRITE, (8 << 20) - 4096, 8192);
        bad.withData(ByteBuffer.allocateDirect(8192), 0);
        device.submit(bad, submitter);
        BlockRequest good = device.request(BlockOperation.WRITE, 0, 4096);
        good.withData(ByteBuffer.allocateDirect(8192), 0);
        device.submit(good, submitter);
        assertThat(bad.status()).isEqualTo(BlockStatus.NO_SPACE);
        assertThat(good.status()).isEqualTo(BlockStatus.OK);
        assertThat(bad.failedOffsetBytes()).isEqualTo(BlockRequest.UNKNOWN_OFFSET);
        assertThat(device.counters().get(Counter.ERRORS)).isEqualTo(1);
    }
}
