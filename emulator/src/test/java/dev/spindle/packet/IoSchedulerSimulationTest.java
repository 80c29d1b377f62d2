package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.packet.IoScheduler.Step;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random reads and writes, and what must hold of each decision: both queues first in, first out;
 * the drive is turned only with nothing under way, towards reading only by a flush and for a reason
 * that the generation knows; never idle while it could work. Replay one seed: {@code mvn -pl
 * emulator test -Dtest=IoSchedulerSimulationTest -Dspindle.seed=N}.
 */
class IoSchedulerSimulationTest {
    private static final int PACKET_BYTES = 32768;

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void turnsTheDriveOnlyWithReason(long seed) {
        new Run(seed).play();
    }

    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final PacketScheduler generation;
        private final IoScheduler scheduler = new IoScheduler();
        private final ArrayDeque<BlockRequest> reads = new ArrayDeque<>();
        private final ArrayDeque<BlockRequest> writes = new ArrayDeque<>();
        private boolean isWriting;
        private boolean isHostReading;
        private int pending;
        private long streamEnd = -1;
        private long readInARow;
        private long nextPacket;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=IoSchedulerSimulationTest -Dspindle.seed=" + seed;
            generation = seed % 2 == 0 ? PacketScheduler.AT_SEEK : PacketScheduler.WHEN_STUCK;
        }

        void play() {
            for (int i = 0; i < 1000; i++) {
                switch (random.nextInt(10)) {
                    case 0 -> addRead(true);
                    case 1, 2 -> addRead(false);
                    case 3, 4 -> addWrite();
                    case 5 -> endOne();
                    default -> decide();
                }
                assertThat(scheduler.pending()).as(replay).isEqualTo(pending);
                assertThat(scheduler.isWriting()).as(replay).isEqualTo(isWriting);
                assertThat(scheduler.wantsFastReads())
                        .as(replay)
                        .isEqualTo(readInARow >= 512 * 1024);
            }
        }

        private static BlockRequest request(BlockOperation operation, long offset, long length) {
            return new BlockRequest((_, _) -> {}).prepare(operation, offset, length, 0);
        }

        private void addRead(boolean isHosts) {
            long length = 2048L * (1 + random.nextInt(64));
            BlockRequest read = request(BlockOperation.READ, 0, length);
            reads.addLast(read);
            if (isHosts) {
                isHostReading = true;
                scheduler.addHostRead(read);
            } else {
                scheduler.addGatherRead(read);
            }
        }

        private void addWrite() {
            nextPacket += random.nextInt(3) == 0 ? 1 + random.nextInt(50) : 0;
            BlockRequest write =
                    request(BlockOperation.WRITE, nextPacket * PACKET_BYTES, PACKET_BYTES);
            nextPacket++;
            writes.addLast(write);
            scheduler.addWrite(write);
        }

        private void endOne() {
            if (pending > 0) {
                pending--;
                scheduler.ended();
            }
        }

        private void decide() {
            isHostReading &= !reads.isEmpty();
            switch (scheduler.next(generation)) {
                case Step.Wait() -> assertThat(mustWait()).as(replay).isTrue();
                case Step.Flush() -> {
                    assertThat(isWriting && pending == 0 && isTurnDue()).as(replay).isTrue();
                    isWriting = false;
                    scheduler.flushed();
                }
                case Step.Send(BlockRequest sent) -> sent(sent);
            }
        }

        private boolean mustWait() {
            boolean isNothingThere = reads.isEmpty() && writes.isEmpty();
            boolean wantsTurn = isWriting ? isTurnDue() : reads.isEmpty();
            return isNothingThere || (wantsTurn && pending > 0);
        }

        /** From writing to reading. */
        private boolean isTurnDue() {
            return switch (generation) {
                case WHEN_STUCK -> isHostReading || writes.isEmpty();
                case AT_SEEK -> !reads.isEmpty() && !goesOn();
            };
        }

        private boolean goesOn() {
            return !writes.isEmpty() && writes.getFirst().offsetBytes() == streamEnd;
        }

        private void sent(BlockRequest sent) {
            if (sent.operation() == BlockOperation.READ) {
                assertThat(isWriting).as("%s: a read while it writes", replay).isFalse();
                assertThat(sent).as(replay).isSameAs(reads.removeFirst());
                readInARow += sent.lengthBytes();
            } else {
                boolean mayTurn = !isWriting && pending == 0 && reads.isEmpty();
                assertThat(mayTurn || (isWriting && !isTurnDue())).as(replay).isTrue();
                assertThat(sent).as(replay).isSameAs(writes.removeFirst());
                isWriting = true;
                streamEnd = sent.offsetBytes() + sent.lengthBytes();
                readInARow = 0;
            }
            pending++;
        }
    }
}
