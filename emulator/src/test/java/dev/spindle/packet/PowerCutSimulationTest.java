package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.drive.optical.Burners;
import dev.spindle.queue.PlugSettings;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.Submitter;
import dev.spindle.queue.VirtualDevice;
import dev.spindle.queue.elevator.ElevatorSettings;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The power goes at a random moment. A write that had ended before a FLUSH was asked for which has
 * ended too is there, and so is a forced one that has ended; nothing is there that was never
 * written. Replay one seed: {@code mvn -pl emulator test -Dtest=PowerCutSimulationTest
 * -Dspindle.seed=N}.
 */
class PowerCutSimulationTest {
    private static final int FRAME = 2048;
    private static final int FRAMES = 256;

    static Stream<Long> seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? Stream.of(given) : Stream.iterate(1L, seed -> seed + 1).limit(60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aDiskKeepsWhatItHasPromised(long seed) {
        PowerCutStore store = new PowerCutStore((long) FRAMES * FRAME);
        QueueSettings settings =
                QueueSettings.of(64, 64)
                        .with(new ElevatorSettings.Deadline(500_000_000, 5_000_000_000L, 2, 16))
                        .with(PlugSettings.KERNEL);
        var drive = new IdeDisk(Disks.simple(), store.capacityBytes(), DataMover.inline(store));
        VirtualDevice device = new VirtualDevice(settings, drive);
        Submitter host = Submitter.thatNeedsNoNews();
        new Run(seed, store, request -> device.submit(request, host), device::pass)
                .play(50_000_000);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPacketWriterKeepsWhatItHasPromised(long seed) {
        PowerCutStore store = new PowerCutStore((long) FRAMES * FRAME);
        VirtualBurner burner =
                new VirtualBurner(Burners.dvdPlusRw(), store, PacketSettings.DEFAULT);
        new Run(seed, store, burner::submit, burner::pass).play(2_000_000_000L);
    }

    /** Takes a request. */
    private interface Device {
        void submit(BlockRequest request);
    }

    /** Each frame's first eight bytes are the number of the write that it is from. */
    private static final class Run {
        private final SplittableRandom random;
        private final String replay;
        private final PowerCutStore store;
        private final Device device;
        private final LongConsumer pass;
        private final boolean[] isBusy = new boolean[FRAMES];
        private final long[] asked = new long[FRAMES];
        private final long[] ended = new long[FRAMES];
        private final long[] promised = new long[FRAMES];
        private long writes;

        Run(long seed, PowerCutStore store, Device device, LongConsumer pass) {
            random = new SplittableRandom(seed);
            replay = "replay with -Dtest=PowerCutSimulationTest -Dspindle.seed=" + seed;
            this.store = store;
            this.device = device;
            this.pass = pass;
        }

        void play(long mostNs) {
            int steps = 20 + random.nextInt(150);
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(14)) {
                    case 0 -> flush();
                    case 1, 2, 3 -> pass.accept(random.nextLong(mostNs));
                    default -> write();
                }
            }
            for (int i = 0; i < FRAMES; i++) {
                assertThat(store.longAfterPowerCut((long) i * FRAME))
                        .as("%s: frame %d, ended %d", replay, i, ended[i])
                        .isBetween(promised[i], asked[i]);
            }
        }

        private void write() {
            int first = random.nextInt(FRAMES);
            int end = Math.min(FRAMES, first + 1 + random.nextInt(4));
            for (int i = first; i < end; i++) {
                if (isBusy[i]) {
                    return;
                }
            }
            writes++;
            long number = writes;
            boolean isForced = random.nextInt(6) == 0;
            ByteBuffer data = ByteBuffer.allocate((end - first) * FRAME);
            for (int i = first; i < end; i++) {
                isBusy[i] = true;
                asked[i] = number;
                data.putLong((i - first) * FRAME, number);
            }
            BlockRequest request =
                    new BlockRequest((_, _) -> ended(first, end, number, isForced))
                            .prepare(
                                    BlockOperation.WRITE,
                                    (long) first * FRAME,
                                    (long) (end - first) * FRAME,
                                    0)
                            .withData(data, 0)
                            .withFua(isForced);
            device.submit(request);
        }

        private void ended(int first, int end, long number, boolean isForced) {
            for (int i = first; i < end; i++) {
                isBusy[i] = false;
                ended[i] = number;
                promised[i] = isForced ? number : promised[i];
            }
        }

        private void flush() {
            long[] before = ended.clone();
            BlockRequest request =
                    new BlockRequest((_, _) -> flushed(before))
                            .prepare(BlockOperation.FLUSH, 0, 0, 0);
            device.submit(request);
        }

        private void flushed(long[] before) {
            for (int i = 0; i < FRAMES; i++) {
                promised[i] = Math.max(promised[i], before[i]);
            }
        }
    }
}
