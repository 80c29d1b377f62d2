package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.CongestionMarks;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.elevator.ElevatorSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a listener sees of random requests on a small queue: nothing overtakes a FLUSH or is
 * overtaken by it, no command is longer than max_sectors_kb, the drive has one at a time, sleepers
 * wake in the order they fell asleep, the hard cap holds, and the congestion flag goes up at one
 * mark and down only below the other. Replay one seed: {@code mvn -pl emulator test
 * -Dtest=QueueOrderSimulationTest -Dspindle.seed=N}.
 */
class QueueOrderSimulationTest {
    private static final long CAPACITY = 64 << 20;
    private static final int KIB = 1024;

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsToItsRules(long seed) {
        new Run(seed).play();
    }

    /** One direction, as its pool and its flag must be. */
    private static final class Side {
        private final ArrayDeque<Submitter> asleep = new ArrayDeque<>();
        private boolean isCongested;
        private int turns;

        void follow(int count, CongestionMarks marks) {
            if (!isCongested && count >= marks.on()) {
                isCongested = true;
                turns++;
            } else if (isCongested && count < marks.off()) {
                isCongested = false;
            }
        }
    }

    private static final class Run implements QueueListener {
        private final SplittableRandom random;
        private final String replay;
        private final QueueSettings settings;
        private final VirtualDevice device;
        private final List<Submitter> submitters = new ArrayList<>();
        private final Side reads = new Side();
        private final Side writes = new Side();

        /** Between which two FLUSHes a command has gone in. */
        private final Map<DriveCommand, Integer> epochs = new HashMap<>();

        private final Map<BlockRequest, Integer> submitted = new HashMap<>();
        private int epochIn;
        private int epochOut;
        private @Nullable DriveCommand inWork;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=QueueOrderSimulationTest -Dspindle.seed=" + seed;
            int nr = 4 + random.nextInt(40);
            int on = 2 + random.nextInt(nr);
            settings =
                    new QueueSettings(
                            nr,
                            4 * (1 + random.nextInt(32)),
                            true,
                            new CongestionMarks(on, 1 + random.nextInt(on)),
                            WakePolicy.FIRST_COME,
                            new PlugSettings(random.nextBoolean(), 4, 3_000_000),
                            elevator());
            var mover = DataMover.inline(new VoidStore(CAPACITY));
            device = new VirtualDevice(settings, new IdeDisk(Disks.simple(), CAPACITY, mover));
            device.queue().listen(this);
            for (int i = 0; i < 6; i++) {
                submitters.add(Submitter.thatNeedsNoNews());
            }
        }

        private ElevatorSettings elevator() {
            return switch (random.nextInt(3)) {
                case 0 -> new ElevatorSettings.Noop();
                case 1 -> new ElevatorSettings.Deadline(500_000_000, 5_000_000_000L, 2, 16);
                default ->
                        new ElevatorSettings.Anticipatory(
                                125_000_000, 250_000_000, 500_000_000, 125_000_000, 7_000_000);
            };
        }

        void play() {
            for (int i = 0; i < 1500; i++) {
                if (random.nextInt(6) == 0) {
                    device.pass(random.nextLong(15_000_000));
                } else {
                    submit();
                }
                checkState();
            }
            device.drain();
            checkState();
            assertThat(device.completed()).as(replay).isEqualTo(submitted.size());
            assertThat(epochs).as(replay).isEmpty();
            assertThat(device.counters().get(Counter.READ_CONGESTED))
                    .as(replay)
                    .isEqualTo(reads.turns);
            assertThat(device.counters().get(Counter.WRITE_CONGESTED))
                    .as(replay)
                    .isEqualTo(writes.turns);
        }

        private void submit() {
            BlockOperation operation =
                    switch (random.nextInt(20)) {
                        case 0 -> BlockOperation.FLUSH;
                        case 1, 2, 3, 4, 5, 6, 7, 8 -> BlockOperation.READ;
                        default -> BlockOperation.WRITE_ZEROES;
                    };
            boolean isFlush = operation == BlockOperation.FLUSH;
            long offset = isFlush ? 0 : 4L * KIB * random.nextInt((int) (CAPACITY / KIB / 4 - 64));
            long length = isFlush ? 0 : 4L * KIB * (1 + random.nextInt(60));
            BlockRequest request = device.request(operation, offset, length);
            submitted.put(request, submitted.size());
            device.submit(request, submitters.get(random.nextInt(submitters.size())));
        }

        private void checkState() {
            QueueState state = device.queue().state();
            reads.follow(state.readRequests(), settings.marks());
            writes.follow(state.writeRequests(), settings.marks());
            int cap = settings.nrRequests() * 3 / 2;
            assertThat(state.readRequests()).as(replay).isLessThanOrEqualTo(cap);
            assertThat(state.writeRequests()).as(replay).isLessThanOrEqualTo(cap);
            assertThat(state.readersAsleep()).as(replay).isEqualTo(reads.asleep.size());
            assertThat(state.writersAsleep()).as(replay).isEqualTo(writes.asleep.size());
            assertThat(state.isReadCongested()).as(replay).isEqualTo(reads.isCongested);
            assertThat(state.isWriteCongested()).as(replay).isEqualTo(writes.isCongested);
        }

        private Side side(BlockRequest request) {
            return request.operation().isWrite() ? writes : reads;
        }

        @Override
        public void bio(
                BioStep step,
                BlockRequest request,
                long offsetBytes,
                long lengthBytes,
                Submitter submitter,
                long atNs) {
            Side side = side(request);
            switch (step) {
                case QUEUED, SPLIT, ENDED -> {}
                case GOT_REQUEST -> {
                    awake(side, submitter);
                    side.follow(count(side) - 1, settings.marks());
                    side.follow(count(side), settings.marks());
                }
                case BACK_MERGED, FRONT_MERGED -> awake(side, submitter);
                case SLEPT -> {
                    awake(side, submitter);
                    side.asleep.addLast(submitter);
                }
            }
        }

        private void awake(Side side, Submitter submitter) {
            if (side.asleep.contains(submitter)) {
                assertThat(side.asleep.removeFirst()).as(replay).isSameAs(submitter);
            }
        }

        private int count(Side side) {
            QueueState state = device.queue().state();
            return side == writes ? state.writeRequests() : state.readRequests();
        }

        @Override
        public void command(CommandStep step, DriveCommand command, long atNs) {
            boolean isFlush = command.operation() == BlockOperation.FLUSH;
            switch (step) {
                case INSERTED -> {
                    epochIn += isFlush ? 1 : 0;
                    epochs.put(command, epochIn);
                }
                case ISSUED -> {
                    assertThat(inWork).as(replay).isNull();
                    inWork = command;
                    issued(command, isFlush);
                }
                case COMPLETED -> {
                    assertThat(inWork).as(replay).isSameAs(command);
                    inWork = null;
                    Side side = command.operation().isWrite() ? writes : reads;
                    side.follow(count(side) - 1, settings.marks());
                }
            }
        }

        private void issued(DriveCommand command, boolean isFlush) {
            int epoch = Objects.requireNonNull(epochs.remove(command));
            if (isFlush) {
                assertThat(epochs.values())
                        .as("%s: left behind by a FLUSH", replay)
                        .noneMatch(other -> other < epoch);
                epochOut = epoch;
            } else {
                assertThat(epoch)
                        .as("%s: %s overtakes a FLUSH", replay, command)
                        .isEqualTo(epochOut);
            }
            long sectors = command.endSector() - command.firstSector();
            assertThat(sectors).as(replay).isLessThanOrEqualTo(settings.maxSectorsKb() * 2L);
        }

        @Override
        public void plug(PlugStep step, int commands, int submitterId, long atNs) {
            // Said elsewhere.
        }
    }
}
