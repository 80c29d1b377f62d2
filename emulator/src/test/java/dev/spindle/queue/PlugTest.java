package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.MemoryStore;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.elevator.ElevatorSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlugTest {
    private static final int KIB = 1024;
    private static final long MS = 1_000_000;
    private final Submitter submitter = Submitter.thatNeedsNoNews();

    private static VirtualDevice device(QueueSettings settings) {
        return new VirtualDevice(
                settings,
                new IdeDisk(Disks.simple(), 64 << 20, DataMover.inline(new MemoryStore(64 << 20))));
    }

    private static VirtualDevice plugged() {
        return device(QueueSettings.of(128, 128).with(PlugSettings.KERNEL));
    }

    private BlockRequest read(VirtualDevice device, long offsetKib) {
        BlockRequest request = device.request(BlockOperation.READ, offsetKib * KIB, 4 * KIB);
        device.submit(request, submitter);
        return request;
    }

    @Test
    void theFirstRequestWaitsThreeMillisecondsForCompany() {
        VirtualDevice device = plugged();
        BlockRequest request = read(device, 0);
        assertThat(device.queue().nextDeadlineNs()).isEqualTo(3 * MS);
        device.drain();
        assertThat(request.startedNs()).isEqualTo(3 * MS);
    }

    @Test
    void whatComesMeanwhileJoinsIt() {
        VirtualDevice device = plugged();
        for (int i = 0; i < 32; i++) {
            read(device, 4L * i);
            device.pass(10_000);
        }
        device.drain();
        assertThat(device.counters().get(Counter.COMMANDS)).isEqualTo(1);
    }

    @Test
    void theFourthCommandUnplugs() {
        VirtualDevice device = plugged();
        for (int i = 0; i < 3; i++) {
            read(device, 100L * i);
        }
        assertThat(device.queue().state().waitingCommands()).isEqualTo(3);
        read(device, 300);
        assertThat(device.queue().state().waitingCommands()).isEqualTo(3);
        device.drain();
        assertThat(device.completed()).isEqualTo(4);
    }

    @Test
    void whoeverWaitsUnplugs() {
        VirtualDevice device = plugged();
        BlockRequest request = read(device, 0);
        device.pass(MS);
        device.queue().unplug(device.nowNs());
        device.queue().advance(device.nowNs());
        device.drain();
        assertThat(request.startedNs()).isEqualTo(MS);
    }

    @Test
    void aRequestThatIsAwaitedUnplugsAtOnceAndAfterWhatWentBefore() {
        VirtualDevice device = plugged();
        BlockRequest before = read(device, 0);
        device.pass(MS);
        BlockRequest awaited =
                device.request(BlockOperation.READ, 100 * KIB, 4 * KIB).withWaiter(true);
        device.submit(awaited, submitter);
        device.drain();
        assertThat(before.startedNs()).isEqualTo(MS);
        assertThat(awaited.startedNs()).isLessThan(device.nowNs());
        assertThat(awaited.prepare(BlockOperation.READ, 0, 4 * KIB, 0).isAwaited()).isFalse();
    }

    @Test
    void aSleeperUnplugs() {
        VirtualDevice device =
                device(QueueSettings.of(4, 128).with(new PlugSettings(true, 100, 500 * MS)));
        for (int i = 0; i < 8; i++) {
            read(device, 100L * i);
        }
        assertThat(submitter.isWaiting()).isTrue();
        assertThat(device.queue().nextDeadlineNs()).isLessThan(500 * MS);
        device.drain();
        assertThat(device.completed()).isEqualTo(8);
    }

    @Test
    void aFlushUnplugsAndIsABarrierInEveryElevator() {
        for (ElevatorSettings elevator : elevators()) {
            VirtualDevice device =
                    device(
                            QueueSettings.of(128, 128)
                                    .with(elevator)
                                    .with(new PlugSettings(true, 100, 500 * MS)));
            List<Long> order = new ArrayList<>();
            for (long offsetKib : new long[] {900, 100, 500}) {
                submit(device, order, BlockOperation.READ, offsetKib);
            }
            submit(device, order, BlockOperation.FLUSH, 0);
            submit(device, order, BlockOperation.READ, 50);
            device.drain();
            assertThat(order.indexOf(0L)).as(elevator.toString()).isEqualTo(3);
            assertThat(order.getLast()).as(elevator.toString()).isEqualTo(50L);
        }
    }

    private void submit(
            VirtualDevice device, List<Long> order, BlockOperation operation, long offsetKib) {
        BlockRequest request =
                new BlockRequest((done, _) -> order.add(done.offsetBytes() / KIB))
                        .prepare(
                                operation,
                                offsetKib * KIB,
                                operation == BlockOperation.FLUSH ? 0 : 4 * KIB,
                                0);
        device.submit(request, submitter);
    }

    private static List<ElevatorSettings> elevators() {
        return List.of(
                new ElevatorSettings.Noop(),
                new ElevatorSettings.Deadline(500 * MS, 5000 * MS, 2, 16),
                new ElevatorSettings.Anticipatory(125 * MS, 250 * MS, 500 * MS, 125 * MS, 6 * MS),
                new ElevatorSettings.Cfq(4, 8, 500 * MS, 5000 * MS, 16384, 2));
    }

    @Test
    void aNewElevatorTakesOverWhatWaits() {
        VirtualDevice device = device(QueueSettings.of(128, 128));
        for (int i = 20; i > 0; i--) {
            read(device, 100L * i);
        }
        int waiting = device.queue().state().waitingCommands();
        for (ElevatorSettings elevator : elevators()) {
            device.queue().apply(QueueSettings.of(128, 128).with(elevator), device.nowNs());
            assertThat(device.queue().state().waitingCommands()).isEqualTo(waiting);
        }
        device.drain();
        assertThat(device.completed()).isEqualTo(20);
    }

    @Test
    void readAheadIsGivenUpRatherThanMadeToWait() {
        VirtualDevice device = device(QueueSettings.of(4, 128));
        while (!submitter.isWaiting()) {
            read(device, 100L * device.nowNs() + 100L * device.queue().state().readRequests());
        }
        Submitter other = Submitter.thatNeedsNoNews();
        BlockRequest ahead =
                device.request(BlockOperation.READ, 32 << 20, 4 * KIB).withReadAhead(true);
        device.submit(ahead, other);
        assertThat(ahead.status()).isEqualTo(BlockStatus.WOULD_BLOCK);
        assertThat(other.isWaiting()).isFalse();
        device.drain();
    }

    @Test
    void readAheadThatIsHalfInEndsWhenThatHalfDoes() {
        VirtualDevice device = device(QueueSettings.of(4, 4));
        BlockRequest ahead = device.request(BlockOperation.READ, 0, 256 * KIB).withReadAhead(true);
        device.submit(ahead, submitter);
        assertThat(device.completed()).isZero();
        device.drain();
        assertThat(device.completed()).isEqualTo(1);
        assertThat(ahead.status()).isEqualTo(BlockStatus.WOULD_BLOCK);
        assertThat(device.queue().state().readRequests()).isZero();
    }

    @Test
    void theWakeOrderIsTheOneAskedFor() {
        assertThat(wakeOrder(WakePolicy.Order.FIFO)).isSorted();
        assertThat(wakeOrder(WakePolicy.Order.LIFO)).isSortedAccordingTo((a, b) -> b - a);
        assertThat(wakeOrder(WakePolicy.Order.RANDOM))
                .isEqualTo(wakeOrder(WakePolicy.Order.RANDOM));
    }

    private List<Integer> wakeOrder(WakePolicy.Order order) {
        VirtualDevice device = device(QueueSettings.of(4, 128).with(new WakePolicy(order, 3)));
        while (!submitter.isWaiting()) {
            read(device, 100L * device.queue().state().readRequests());
        }
        device.submit(device.request(BlockOperation.READ, 40 << 20, 4 * KIB), submitter);
        List<Integer> woken = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int number = i;
            device.submit(
                    device.request(BlockOperation.READ, (long) i << 22, 4 * KIB),
                    new Submitter(() -> woken.add(number)));
        }
        device.drain();
        assertThat(woken).hasSize(6);
        return woken;
    }
}
