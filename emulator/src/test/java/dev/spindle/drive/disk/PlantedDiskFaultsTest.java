package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.PlantedFault;
import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.RequestPart;
import dev.spindle.media.VoidStore;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of a disk's times, and that each of it is noticed where it does not. */
class PlantedDiskFaultsTest {
    private static final long MS = 1_000_000;
    private static final SeekCurve CURVE = SeekCurve.ofDataSheet(MS, 8 * MS, 15 * MS, 2000);
    private static final SeekCurve FLAT =
            SeekCurve.ofTable(new int[] {1, 1999}, new long[] {MS, MS});
    private static final DriveSettings ALL_ON = new DriveSettings(true, true);

    static Stream<PlantedFault<Bench>> faults() {
        return Stream.concat(ofMechanics(), ofCaches());
    }

    private static Stream<PlantedFault<Bench>> ofMechanics() {
        return Stream.of(
                new PlantedFault<>(
                        "seek curve: every seek is a short one",
                        () ->
                                new Bench(
                                        disk(6000, CURVE, 500_000),
                                        new DriveSettings(false, false)),
                        () -> new Bench(disk(6000, FLAT, 500_000), new DriveSettings(false, false)),
                        PlantedDiskFaultsTest::aLongSeekTakesLonger),
                new PlantedFault<>(
                        "rotation: too fast",
                        () ->
                                new Bench(
                                        disk(6000, CURVE, 500_000),
                                        new DriveSettings(false, false)),
                        () ->
                                new Bench(
                                        disk(7200, CURVE, 500_000),
                                        new DriveSettings(false, false)),
                        PlantedDiskFaultsTest::aSectorMissedComesRoundIn10Ms),
                new PlantedFault<>(
                        "head switch: none",
                        () -> new Bench(disk(6000, CURVE, 2 * MS), ALL_ON),
                        () -> new Bench(disk(6000, CURVE, 0), ALL_ON),
                        PlantedDiskFaultsTest::aSwitchLongerThanTheSkewCostsARevolution));
    }

    private static Stream<PlantedFault<Bench>> ofCaches() {
        return Stream.of(
                new PlantedFault<>(
                        "read-ahead cache: nothing is kept",
                        () -> new Bench(Disks.simple(), ALL_ON),
                        () -> new Bench(Disks.simple(), new DriveSettings(false, true)),
                        PlantedDiskFaultsTest::theNextReadComesFromTheBuffer),
                new PlantedFault<>(
                        "write cache: none",
                        () -> new Bench(Disks.simple(), ALL_ON),
                        () -> new Bench(Disks.simple(), new DriveSettings(true, false)),
                        PlantedDiskFaultsTest::aWriteIsReportedFromTheBuffer),
                new PlantedFault<>(
                        "FLUSH: a lie",
                        () -> new Bench(Disks.simple(), ALL_ON),
                        () ->
                                new Bench(Disks.simple(), ALL_ON) {
                                    @Override
                                    double run(
                                            BlockOperation operation,
                                            long at,
                                            long n,
                                            boolean fua) {
                                        return operation == BlockOperation.FLUSH
                                                ? 0.1
                                                : super.run(operation, at, n, fua);
                                    }
                                },
                        PlantedDiskFaultsTest::aFlushWaitsForTheMedium),
                new PlantedFault<>(
                        "FUA: forgotten",
                        () -> new Bench(Disks.simple(), ALL_ON),
                        () ->
                                new Bench(Disks.simple(), ALL_ON) {
                                    @Override
                                    double run(
                                            BlockOperation operation,
                                            long at,
                                            long n,
                                            boolean fua) {
                                        return super.run(operation, at, n, false);
                                    }
                                },
                        PlantedDiskFaultsTest::aForcedWriteLeavesNothingToFlush));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isNoticed(PlantedFault<Bench> fault) {
        fault.verify();
    }

    /** {@link Disks#simple} with something else; its track skew of 50 sectors is a millisecond. */
    private static DiskProfile disk(int rpm, SeekCurve curve, long headSwitchNs) {
        return new DiskProfile(
                rpm,
                2,
                HeadOrder.ASCENDING,
                List.of(new Zone(1000, 500, 50, 100), new Zone(1000, 250, 25, 50)),
                curve,
                headSwitchNs,
                200_000,
                Overhead.of(100_000, 200_000, 100_000, 300_000),
                Bus.of(50e6),
                Cache.of(1 << 20, 4));
    }

    private static void aLongSeekTakesLonger(Bench bench) {
        double near = 0;
        double far = 0;
        for (int i = 0; i < 50; i++) {
            bench.read(0, 1);
            bench.idle(i * 700_000L);
            near += bench.read(10_000, 1);
            bench.read(0, 1);
            bench.idle(i * 700_000L);
            far += bench.read(400_000, 1);
        }
        assertThat(far / 50).isGreaterThan(near / 50 + 2);
    }

    private static void aSectorMissedComesRoundIn10Ms(Bench bench) {
        bench.read(100, 1);
        assertThat(bench.read(100, 1)).isCloseTo(10, within(0.1));
    }

    private static void aSwitchLongerThanTheSkewCostsARevolution(Bench bench) {
        double track = bench.read(0, 480);
        bench.idle(200 * MS);
        assertThat(bench.read(100_000 + 400, 200)).isGreaterThan(10.0 + 200 * 0.02 + 0.9);
        assertThat(track).isPositive();
    }

    private static void theNextReadComesFromTheBuffer(Bench bench) {
        bench.read(0, 8);
        bench.idle(5 * MS);
        assertThat(bench.read(8, 100)).isLessThan(2);
    }

    private static void aWriteIsReportedFromTheBuffer(Bench bench) {
        assertThat(bench.run(BlockOperation.WRITE, 5000, 8, false)).isLessThan(0.3);
    }

    private static void aFlushWaitsForTheMedium(Bench bench) {
        bench.run(BlockOperation.WRITE, 5000, 64, false);
        assertThat(bench.run(BlockOperation.FLUSH, 0, 0, false)).isGreaterThan(1.28);
    }

    private static void aForcedWriteLeavesNothingToFlush(Bench bench) {
        bench.run(BlockOperation.WRITE, 5000, 64, true);
        assertThat(bench.run(BlockOperation.FLUSH, 0, 0, false)).isCloseTo(0.3, within(0.001));
    }

    /** A disk and the time. */
    static class Bench {
        private static final long CAPACITY = 512 << 20;
        private final IdeDisk disk;
        private long nowNs;

        Bench(DiskProfile profile, DriveSettings settings) {
            disk = new IdeDisk(profile, CAPACITY, DataMover.inline(new VoidStore(CAPACITY)));
            disk.apply(settings);
        }

        /** One command; its service time in ms. */
        double run(BlockOperation operation, long sector, long sectors, boolean fua) {
            BlockRequest request =
                    new BlockRequest((_, _) -> {})
                            .prepare(operation, sector * 512, sectors * 512, 0)
                            .withFua(fua)
                            .withData(ByteBuffer.allocate((int) sectors * 512), 0);
            RequestPart part = new RequestPart().set(request, sector * 512, sectors * 512);
            DriveCommand command = new DriveCommand().begin(part, nowNs);
            disk.start(command, nowNs);
            long beganNs = nowNs;
            nowNs = disk.nextDeadlineNs();
            assertThat(disk.poll(nowNs)).isSameAs(command);
            return (nowNs - beganNs) / 1e6;
        }

        double read(long sector, long sectors) {
            return run(BlockOperation.READ, sector, sectors, false);
        }

        void idle(long ns) {
            nowNs += ns;
        }
    }
}
