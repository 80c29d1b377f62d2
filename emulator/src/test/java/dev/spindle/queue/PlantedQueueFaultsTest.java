package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.PlantedFault;
import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.CongestionMarks;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of the request queue, and that each of it is noticed where it does not. */
class PlantedQueueFaultsTest {
    private static final long KIB = 1024;
    private static final long CAPACITY = 64 << 20;

    static Stream<PlantedFault<Bench>> faults() {
        return Stream.of(
                new PlantedFault<>(
                        "batching: a front end forgets who submits",
                        () -> new Bench(QueueSettings.of(128, 128)),
                        () -> new Bench(QueueSettings.of(128, 128)).forgettingSubmitters(),
                        PlantedQueueFaultsTest::aBatcherTakes32More),
                new PlantedFault<>(
                        "hard cap: there is none",
                        () -> new Bench(settings(true)),
                        () -> new Bench(settings(false)),
                        PlantedQueueFaultsTest::nobodyGoesBeyondThreeHalves),
                new PlantedFault<>(
                        "wake order: last come, first served",
                        () -> new Bench(QueueSettings.of(4, 128)),
                        () -> new Bench(QueueSettings.of(4, 128).with(lifo())),
                        PlantedQueueFaultsTest::sleepersWakeInOrder),
                new PlantedFault<>(
                        "chopping: the limit is ignored",
                        () -> new Bench(QueueSettings.of(128, 128)),
                        () -> new Bench(QueueSettings.of(128, 1024)),
                        PlantedQueueFaultsTest::noCommandIsLongerThan128Kib),
                new PlantedFault<>(
                        "plugging: the first request goes at once",
                        () -> new Bench(QueueSettings.of(128, 128).with(PlugSettings.KERNEL)),
                        () -> new Bench(QueueSettings.of(128, 128)),
                        PlantedQueueFaultsTest::neighboursBecomeOneCommand),
                new PlantedFault<>(
                        "merging: pieces end at each other's length",
                        () -> new Bench(QueueSettings.of(128, 128).with(PlugSettings.KERNEL)),
                        () -> new Bench(QueueSettings.of(128, 4).with(PlugSettings.KERNEL)),
                        PlantedQueueFaultsTest::neighboursBecomeOneCommand),
                new PlantedFault<>(
                        "barrier: a FLUSH lets a later write pass",
                        () -> new Bench(QueueSettings.of(128, 128)),
                        () -> new Bench(QueueSettings.of(128, 128)).delayingFlushes(),
                        PlantedQueueFaultsTest::aFlushStandsBetweenWhatCameBeforeAndAfter),
                new PlantedFault<>(
                        "congestion: no distance between on and off",
                        () -> new Bench(marked(100, 50)),
                        () -> new Bench(marked(100, 100)),
                        PlantedQueueFaultsTest::theFlagDoesNotFlutter));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isNoticed(PlantedFault<Bench> fault) {
        fault.verify();
    }

    private static QueueSettings settings(boolean hardCap) {
        return new QueueSettings(8, 128, hardCap, CongestionMarks.ofRequests(8));
    }

    private static QueueSettings marked(int on, int off) {
        return new QueueSettings(128, 128, true, new CongestionMarks(on, off));
    }

    private static WakePolicy lifo() {
        return new WakePolicy(WakePolicy.Order.LIFO, 1);
    }

    private static void aBatcherTakes32More(Bench bench) {
        Submitter one = bench.submitter("one");
        for (int i = 0; i < 300; i++) {
            bench.read(2000 * KIB * (i % 30) + 8 * KIB * i, 4 * KIB, one);
        }
        assertThat(bench.device.queue().state().readRequests())
                .isEqualTo(127 + RequestPool.BATCH_REQUESTS);
    }

    private static void nobodyGoesBeyondThreeHalves(Bench bench) {
        Submitter one = bench.submitter("one");
        for (int i = 0; i < 100; i++) {
            bench.read(64 * KIB * i, 4 * KIB, one);
            assertThat(bench.device.queue().state().readRequests()).isLessThanOrEqualTo(12);
        }
    }

    private static void sleepersWakeInOrder(Bench bench) {
        Submitter first = bench.submitter("filler");
        for (int i = 0; i < 20; i++) {
            bench.read(64 * KIB * i, 4 * KIB, first);
        }
        List<String> woken = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            Submitter sleeper = new Submitter(name, () -> woken.add(name));
            bench.read(64 * KIB * (100 + woken.size()), 4 * KIB, sleeper);
            assertThat(sleeper.isWaiting()).isTrue();
        }
        bench.device.drain();
        assertThat(woken).containsExactly("a", "b", "c");
    }

    private static void noCommandIsLongerThan128Kib(Bench bench) {
        bench.read(0, 1024 * KIB, bench.submitter("one"));
        bench.device.drain();
        assertThat(bench.drive.sectors).isNotEmpty().allMatch(sectors -> sectors <= 256);
    }

    private static void neighboursBecomeOneCommand(Bench bench) {
        for (int i = 0; i < 3; i++) {
            bench.read(4 * KIB * i, 4 * KIB, bench.submitter("one"));
        }
        bench.device.drain();
        assertThat(bench.drive.sectors).containsExactly(24L);
    }

    private static void aFlushStandsBetweenWhatCameBeforeAndAfter(Bench bench) {
        Submitter one = bench.submitter("one");
        for (int i = 0; i < 4; i++) {
            bench.write(64 * KIB * i, one);
        }
        bench.flush(one);
        bench.write(640 * KIB, one);
        bench.end();
        assertThat(bench.drive.operations.indexOf(BlockOperation.FLUSH)).isEqualTo(4);
    }

    private static void theFlagDoesNotFlutter(Bench bench) {
        Submitter one = bench.submitter("one");
        for (int i = 0; i < 1000; i++) {
            bench.write(16 * KIB * i, one);
            boolean isMany = bench.device.queue().state().writeRequests() >= 101;
            while (isMany && bench.device.queue().state().writeRequests() > 90) {
                bench.device.step();
            }
        }
        assertThat(bench.device.counters().get(Counter.WRITE_CONGESTED)).isBetween(1L, 20L);
    }

    /** A queue on a disk that keeps a record of its commands. */
    static final class Bench {
        private final Recorder drive =
                new Recorder(
                        new IdeDisk(
                                Disks.simple(),
                                CAPACITY,
                                DataMover.inline(new VoidStore(CAPACITY))));
        private final VirtualDevice device;
        private final List<BlockRequest> delayed = new ArrayList<>();
        private boolean forgetsSubmitters;
        private boolean delaysFlushes;

        Bench(QueueSettings settings) {
            device = new VirtualDevice(settings, drive);
        }

        Bench forgettingSubmitters() {
            forgetsSubmitters = true;
            return this;
        }

        Bench delayingFlushes() {
            delaysFlushes = true;
            return this;
        }

        Submitter submitter(String name) {
            return new Submitter(name, () -> {});
        }

        void read(long offsetBytes, long lengthBytes, Submitter submitter) {
            submit(BlockOperation.READ, offsetBytes, lengthBytes, submitter);
        }

        void write(long offsetBytes, Submitter submitter) {
            submit(BlockOperation.WRITE_ZEROES, offsetBytes, 4 * KIB, submitter);
        }

        void flush(Submitter submitter) {
            submit(BlockOperation.FLUSH, 0, 0, submitter);
        }

        private void submit(BlockOperation operation, long offset, long length, Submitter whose) {
            BlockRequest request = device.request(operation, offset, length);
            if (operation == BlockOperation.FLUSH && delaysFlushes) {
                delayed.add(request);
            } else {
                device.submit(request, forgetsSubmitters ? submitter("nobody") : whose);
            }
        }

        void end() {
            delayed.forEach(request -> device.submit(request, submitter("late")));
            device.drain();
        }
    }

    /** Any drive, with a record of what it was told to do. */
    private static final class Recorder implements Drive {
        private final Drive drive;
        private final List<Long> sectors = new ArrayList<>();
        private final List<BlockOperation> operations = new ArrayList<>();

        Recorder(Drive drive) {
            this.drive = drive;
        }

        @Override
        public boolean isReady() {
            return drive.isReady();
        }

        @Override
        public void start(DriveCommand command, long nowNs) {
            sectors.add(command.endSector() - command.firstSector());
            operations.add(command.operation());
            drive.start(command, nowNs);
        }

        @Override
        public @Nullable DriveCommand poll(long nowNs) {
            return drive.poll(nowNs);
        }

        @Override
        public long nextDeadlineNs() {
            return drive.nextDeadlineNs();
        }

        @Override
        public DriveSettings settings() {
            return drive.settings();
        }

        @Override
        public void apply(DriveSettings settings) {
            drive.apply(settings);
        }
    }
}
