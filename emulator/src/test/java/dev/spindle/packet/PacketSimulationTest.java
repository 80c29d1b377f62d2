package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.Burners;
import dev.spindle.drive.optical.MediumKind;
import dev.spindle.queue.Submitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests from several submitters to a burner in virtual time. Every request ends exactly
 * once, the data is that of a byte array, the disc sees whole packets only, the flag keeps its
 * hysteresis and a blocking queue its bound. Requests in flight at the same time share zones but
 * never frames, so there is one right answer. Replay one seed: {@code mvn -pl emulator test
 * -Dtest=PacketSimulationTest -Dspindle.seed=N}.
 */
class PacketSimulationTest {
    private static final int FRAME = 2048;
    private static final int FRAMES = 4096;
    private static final List<MediumKind> MEDIA = List.of(MediumKind.values());
    private static final List<CongestionPolicy> POLICIES = List.of(CongestionPolicy.values());

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLostDoubledOrWrittenInParts(long seed) throws IOException {
        new Run(seed).play();
    }

    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final byte[] oracle = new byte[FRAMES * FRAME];
        private final BitSet busy = new BitSet();
        private final List<Submitter> submitters = new ArrayList<>();
        private final MediumKind medium;
        private final CongestionPolicy policy;
        private final WriteMarks marks;
        private final WholePacketStore store;
        private final VirtualBurner burner;
        private int started;
        private int ended;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=PacketSimulationTest -Dspindle.seed=" + seed;
            medium = MEDIA.get(random.nextInt(MEDIA.size()));
            policy = POLICIES.get(random.nextInt(POLICIES.size()));
            int on = 2 + random.nextInt(60);
            marks = new WriteMarks(on, random.nextInt(on));
            store = new WholePacketStore((long) FRAMES * FRAME, medium.packetBlocks() * FRAME);
            burner = new VirtualBurner(Burners.of(medium, 4), store, randomSettings());
            for (int i = 0; i < 4; i++) {
                submitters.add(new Submitter("s" + i, () -> {}));
            }
        }

        private PacketSettings randomSettings() {
            PacketScheduler scheduler =
                    random.nextBoolean() ? PacketScheduler.AT_SEEK : PacketScheduler.WHEN_STUCK;
            return new PacketSettings(policy, marks, scheduler, random.nextLong(20_000_000));
        }

        void play() throws IOException {
            for (int i = 0; i < 1500; i++) {
                switch (random.nextInt(40)) {
                    case 0 -> burner.writer.apply(randomSettings(), burner.nowNs());
                    case 1, 2, 3 -> pass(random.nextLong(400_000_000));
                    case 4 -> burner.drain();
                    default -> submitSomething();
                }
                checkQueue();
            }
            burner.drain();
            assertThat(ended).as(replay).isEqualTo(started);
            assertThat(submitters).as(replay).noneMatch(Submitter::isWaiting);
            checkIdle();
            checkAll();
        }

        /** Sometimes the caller comes late. */
        private void pass(long spanNs) {
            if (random.nextInt(4) == 0) {
                burner.leap(spanNs);
            } else {
                burner.pass(spanNs);
            }
        }

        private void submitSomething() {
            int from = random.nextInt(8) == 0 ? random.nextInt(FRAMES) : random.nextInt(300);
            int frames = 1 + random.nextInt(random.nextInt(8) == 0 ? 80 : 8);
            int to = Math.min(FRAMES, from + frames);
            if (busy.get(from, to).cardinality() > 0) {
                return;
            }
            switch (random.nextInt(12)) {
                case 0, 1 -> submit(BlockOperation.READ, from, to);
                case 2 -> submit(BlockOperation.WRITE_ZEROES, from, to);
                case 3 -> submit(BlockOperation.DISCARD, from, to);
                case 4 -> submit(BlockOperation.FLUSH, 0, 0);
                default -> submit(BlockOperation.WRITE, from, to);
            }
        }

        private void submit(BlockOperation operation, int from, int to) {
            busy.set(from, to);
            started++;
            int offset = from * FRAME;
            int length = (to - from) * FRAME;
            ByteBuffer buffer = ByteBuffer.allocate(length + 5);
            var request = new BlockRequest((done, _) -> ended(done, buffer));
            request.prepare(operation, offset, length, 0).withFua(random.nextInt(30) == 0);
            switch (operation) {
                case READ -> request.withData(buffer, 5);
                case WRITE -> {
                    byte[] data = new byte[length];
                    random.nextBytes(data);
                    buffer.put(5, data);
                    request.withData(buffer, 5);
                    System.arraycopy(data, 0, oracle, offset, length);
                }
                case WRITE_ZEROES -> Arrays.fill(oracle, offset, offset + length, (byte) 0);
                case DISCARD, FLUSH, COMMAND -> {
                    // Change nothing.
                }
            }
            burner.submit(request, submitters.get(random.nextInt(submitters.size())));
        }

        private void ended(BlockRequest request, ByteBuffer buffer) {
            int from = (int) request.offsetBytes() / FRAME;
            int to = from + (int) request.lengthBytes() / FRAME;
            assertThat(busy.get(from, to).cardinality()).as(replay).isEqualTo(to - from);
            busy.clear(from, to);
            ended++;
            assertThat(request.status()).as(replay).isEqualTo(BlockStatus.OK);
            assertThat(request.completedNs())
                    .as(replay)
                    .isGreaterThanOrEqualTo(request.submittedNs());
            if (request.operation() == BlockOperation.READ) {
                int length = (int) request.lengthBytes();
                ByteBuffer right = ByteBuffer.wrap(oracle, from * FRAME, length);
                assertThat(buffer.slice(5, length)).as("%s %s", replay, request).isEqualTo(right);
            }
        }

        private void checkQueue() {
            int queued = burner.writer.queueSize();
            boolean isCongested = burner.writer.isWriteCongested();
            switch (policy) {
                case NONE -> assertThat(isCongested).as(replay).isFalse();
                case FLAG -> {
                    assertThat(isCongested && queued < marks.off()).as(replay).isFalse();
                    assertThat(!isCongested && queued > marks.on()).as(replay).isFalse();
                }
                case BLOCK -> {
                    assertThat(queued).as(replay).isLessThanOrEqualTo(marks.on());
                    assertThat(isCongested && queued <= marks.off()).as(replay).isFalse();
                    boolean isAsleep = burner.writer.report().sleeping() > 0;
                    assertThat(isAsleep && queued <= marks.off()).as(replay).isFalse();
                }
            }
            PacketReport report = burner.writer.report();
            int packets = report.states().values().stream().mapToInt(Integer::intValue).sum();
            assertThat(packets).as(replay).isEqualTo(PacketWriter.DEFAULT_PACKETS);
        }

        private void checkIdle() {
            PacketReport report = burner.writer.report();
            assertThat(report.count(PacketState.IDLE)).as(replay).isEqualTo(8);
            assertThat(report.queued()).as(replay).isZero();
            assertThat(report.pending()).as(replay).isZero();
            assertThat(report.sleeping()).as(replay).isZero();
            assertThat(burner.count(PacketCounter.PACKETS_FINISHED))
                    .as(replay)
                    .isEqualTo(burner.count(PacketCounter.PACKETS_STARTED))
                    .isEqualTo(store.packetsWritten());
        }

        private void checkAll() throws IOException {
            ByteBuffer all = ByteBuffer.allocate(oracle.length);
            store.read(0, all, 0, oracle.length);
            assertThat(all).as(replay).isEqualTo(ByteBuffer.wrap(oracle));
        }
    }
}
