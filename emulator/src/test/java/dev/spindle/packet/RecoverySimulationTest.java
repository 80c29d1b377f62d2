package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.optical.Burners;
import dev.spindle.media.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A scratched disc: some zones cannot be written. A write that touches such a zone ends with an
 * error and no other does; each packet that fails is counted once; what is written elsewhere is
 * there. Replay one seed: {@code mvn -pl emulator test -Dtest=RecoverySimulationTest
 * -Dspindle.seed=N}.
 */
class RecoverySimulationTest {
    private static final int FRAME = 2048;
    private static final int FRAMES = 1024;
    private static final int PACKET = 16;

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatFailsIsToldToThoseItConcernsAndNobodyElse(long seed) throws IOException {
        new Run(seed).play();
    }

    /** Its bad zones take no write. */
    private static final class Scratched extends ForwardingStore {
        private final BitSet bad;
        private int failures;

        Scratched(BitSet bad) {
            super(new WholePacketStore((long) FRAMES * FRAME, PACKET * FRAME));
            this.bad = bad;
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source, int index, int lengthBytes)
                throws IOException {
            if (bad.get((int) (offsetBytes / FRAME / PACKET))) {
                failures++;
                throw new IOException("scratched");
            }
            super.write(offsetBytes, source, index, lengthBytes);
        }
    }

    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final BitSet bad = new BitSet();
        private final BitSet busy = new BitSet();
        private final byte[] oracle = new byte[FRAMES];
        private final Scratched store = new Scratched(bad);
        private final VirtualBurner burner;
        private int started;
        private int ended;

        Run(long seed) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=RecoverySimulationTest -Dspindle.seed=" + seed;
            burner = new VirtualBurner(Burners.dvdPlusRw(), store, PacketSettings.DEFAULT);
            for (int i = 0; i < 12; i++) {
                bad.set(random.nextInt(FRAMES / PACKET));
            }
        }

        void play() throws IOException {
            for (int i = 0; i < 600; i++) {
                if (random.nextInt(5) == 0) {
                    burner.pass(random.nextLong(300_000_000));
                } else {
                    write();
                }
            }
            burner.sync();
            PacketReport report = burner.writer.report();
            assertThat(ended).as(replay).isEqualTo(started);
            assertThat(report.count(PacketState.IDLE)).as(replay).isEqualTo(8);
            assertThat(burner.count(PacketCounter.RECOVERIES))
                    .as(replay)
                    .isPositive()
                    .isEqualTo(store.failures);
            ByteBuffer one = ByteBuffer.allocate(FRAME);
            for (int i = 0; i < FRAMES; i++) {
                store.read((long) i * FRAME, one, 0, FRAME);
                byte right = bad.get(i / PACKET) ? 0 : oracle[i];
                assertThat(one.get(FRAME - 1)).as("%s: frame %d", replay, i).isEqualTo(right);
            }
        }

        private void write() {
            int from = random.nextInt(FRAMES);
            int to = Math.min(FRAMES, from + 1 + random.nextInt(40));
            if (busy.get(from, to).cardinality() > 0) {
                return;
            }
            busy.set(from, to);
            started++;
            byte value = (byte) (1 + random.nextInt(100));
            ByteBuffer data = ByteBuffer.allocate((to - from) * FRAME);
            for (int i = from; i < to; i++) {
                oracle[i] = value;
                data.put((i - from + 1) * FRAME - 1, value);
            }
            boolean isBad = !bad.get(from / PACKET, (to - 1) / PACKET + 1).isEmpty();
            BlockRequest request = new BlockRequest((done, _) -> ended(done, from, to, isBad));
            request.prepare(
                    BlockOperation.WRITE, (long) from * FRAME, (long) (to - from) * FRAME, 0);
            burner.submit(request.withData(data, 0));
        }

        private void ended(BlockRequest request, int from, int to, boolean isBad) {
            busy.clear(from, to);
            ended++;
            assertThat(request.status())
                    .as("%s: %s", replay, request)
                    .isEqualTo(isBad ? BlockStatus.IO_ERROR : BlockStatus.OK);
        }
    }
}
