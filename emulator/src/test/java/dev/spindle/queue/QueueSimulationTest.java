package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockOperations;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.NullDrive;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.MemoryStore;
import dev.spindle.queue.elevator.ElevatorSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests from several submitters, random tuning, in virtual time. Every request ends
 * exactly once, nobody sleeps for ever, and the data is that of a byte array. Requests in flight at
 * the same time never overlap, so there is one right answer. Replay one seed: {@code mvn -pl
 * emulator test -Dtest=QueueSimulationTest -Dspindle.seed=N}.
 */
class QueueSimulationTest {
    private static final List<BlockOperation> OPERATIONS = BlockOperations.OF_ANY_DEVICE;
    private static final int CAPACITY = 8 << 20;
    private static final int SECTOR = 512;
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = CAPACITY / SLOTS;

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRequestEndsOnceWithTheRightData(long seed) {
        new Run(seed).play();
    }

    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final byte[] oracle = new byte[CAPACITY];
        private final MemoryStore store = new MemoryStore(CAPACITY);
        private final VirtualDevice device;
        private final List<Submitter> submitters = new ArrayList<>();
        private final boolean[] isSlotBusy = new boolean[SLOTS];
        private int started;
        private int ended;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=QueueSimulationTest -Dspindle.seed=" + seed;
            DataMover mover = DataMover.inline(store);
            Drive drive =
                    seed % 2 == 0
                            ? new NullDrive(mover)
                            : new IdeDisk(Disks.simple(), CAPACITY, mover);
            device = new VirtualDevice(randomSettings(), drive);
            for (int i = 0; i < 5; i++) {
                submitters.add(Submitter.thatNeedsNoNews());
            }
        }

        private QueueSettings randomSettings() {
            WakePolicy.Order[] orders = WakePolicy.Order.values();
            return QueueSettings.of(4 + random.nextInt(60), 4 + random.nextInt(300))
                    .with(randomElevator())
                    .with(
                            new PlugSettings(
                                    random.nextBoolean(),
                                    1 + random.nextInt(6),
                                    random.nextLong(5_000_000)))
                    .with(new WakePolicy(orders[random.nextInt(orders.length)], 7));
        }

        private ElevatorSettings randomElevator() {
            return switch (random.nextInt(4)) {
                case 0 -> new ElevatorSettings.Noop();
                case 1 ->
                        new ElevatorSettings.Deadline(
                                random.nextLong(500_000_000),
                                random.nextLong(900_000_000),
                                random.nextInt(3),
                                1 + random.nextInt(16));
                case 2 ->
                        new ElevatorSettings.Anticipatory(
                                125_000_000,
                                250_000_000,
                                random.nextLong(500_000_000),
                                random.nextLong(125_000_000),
                                random.nextInt(2) * random.nextLong(9_000_000));
                default ->
                        new ElevatorSettings.Cfq(
                                1 + random.nextInt(8),
                                1 + random.nextInt(8),
                                500_000_000,
                                5_000_000_000L,
                                random.nextInt(16384),
                                1 + random.nextInt(3));
            };
        }

        void play() {
            for (int i = 0; i < 2000; i++) {
                switch (random.nextInt(40)) {
                    case 0 -> device.queue().apply(randomSettings(), device.nowNs());
                    case 1 ->
                            device.queue()
                                    .apply(
                                            new DriveSettings(
                                                    random.nextBoolean(), random.nextBoolean()));
                    case 2, 3, 4, 5, 6, 7 -> device.pass(random.nextLong(20_000_000));
                    default -> submitSomething();
                }
            }
            device.drain();
            assertThat(ended).as(replay).isEqualTo(started);
            assertThat(submitters).as(replay).noneMatch(Submitter::isWaiting);
            QueueState idle = new QueueState(0, 0, 0, 0, false, false, 0);
            assertThat(device.queue().state()).as(replay).isEqualTo(idle);
            checkAll();
        }

        private void submitSomething() {
            int slot = random.nextInt(SLOTS);
            if (isSlotBusy[slot]) {
                return;
            }
            int from = random.nextInt(SLOT_BYTES / SECTOR);
            int sectors = 1 + random.nextInt(SLOT_BYTES / SECTOR - from);
            int offset = slot * SLOT_BYTES + from * SECTOR;
            BlockOperation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            isSlotBusy[slot] = true;
            started++;
            submit(
                    operation,
                    slot,
                    offset,
                    operation == BlockOperation.FLUSH ? 0 : sectors * SECTOR);
        }

        private void submit(BlockOperation operation, int slot, int offset, int length) {
            ByteBuffer buffer = ByteBuffer.allocate(length + 7);
            byte[] written = new byte[length];
            random.nextBytes(written);
            var request = new BlockRequest((done, _) -> ended(done, slot, buffer));
            request.prepare(operation, offset, length, 0).withFua(random.nextInt(4) == 0);
            switch (operation) {
                case READ -> request.withData(buffer, 7);
                case WRITE -> {
                    buffer.put(7, written);
                    request.withData(buffer, 7);
                    System.arraycopy(written, 0, oracle, offset, length);
                }
                case DISCARD, WRITE_ZEROES -> {
                    request.withDeallocation(random.nextBoolean());
                    Arrays.fill(oracle, offset, offset + length, (byte) 0);
                }
                case FLUSH, COMMAND -> {
                    // Carries nothing.
                }
            }
            device.submit(request, submitters.get(random.nextInt(submitters.size())));
        }

        private void ended(BlockRequest request, int slot, ByteBuffer buffer) {
            assertThat(isSlotBusy[slot]).as(replay).isTrue();
            isSlotBusy[slot] = false;
            ended++;
            assertThat(request.status()).as(replay).isEqualTo(BlockStatus.OK);
            assertThat(request.completedNs())
                    .as(replay)
                    .isGreaterThanOrEqualTo(request.submittedNs());
            if (request.operation() == BlockOperation.READ) {
                int offset = (int) request.offsetBytes();
                int length = (int) request.lengthBytes();
                ByteBuffer expected = ByteBuffer.wrap(oracle, offset, length);
                assertThat(buffer.slice(7, length))
                        .as("%s %s", replay, request)
                        .isEqualTo(expected);
            }
        }

        private void checkAll() {
            ByteBuffer all = ByteBuffer.allocate(CAPACITY);
            store.read(0, all, 0, CAPACITY);
            assertThat(all).as(replay).isEqualTo(ByteBuffer.wrap(oracle));
        }
    }
}
