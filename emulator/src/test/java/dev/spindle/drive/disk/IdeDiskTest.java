package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.RequestPart;
import dev.spindle.media.MemoryStore;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * {@link Disks#simple}: 10 ms a revolution, 500 sectors of 20 us on a track, two heads, bus 10.24
 * us a sector.
 */
class IdeDiskTest {
    private static final long CAPACITY = 256 << 20;
    private static final double REVOLUTION_MS = 10;
    private static final double SECTOR_MS = 0.02;
    private static final double BUS_MS = 0.01024;
    private final IdeDisk disk =
            new IdeDisk(Disks.simple(), CAPACITY, DataMover.inline(new MemoryStore(CAPACITY)));
    private long nowNs;

    /** Runs a command to its end; its service time in ms. */
    private double run(BlockOperation operation, long sector, long sectors, boolean fua) {
        var request = new BlockRequest((_, _) -> {});
        request.prepare(operation, sector * 512, sectors * 512, 0).withFua(fua);
        if (operation == BlockOperation.WRITE) {
            request.withData(ByteBuffer.allocate((int) sectors * 512), 0);
        }
        var part = new RequestPart().set(request, sector * 512, sectors * 512);
        var command = new DriveCommand().begin(part, nowNs);
        disk.start(command, nowNs);
        assertThat(disk.isReady()).isFalse();
        assertThat(disk.poll(disk.nextDeadlineNs() - 1)).isNull();
        long beganNs = nowNs;
        nowNs = disk.nextDeadlineNs();
        assertThat(disk.poll(nowNs)).isSameAs(command);
        return (nowNs - beganNs) / 1e6;
    }

    private double read(long sector, long sectors) {
        return run(BlockOperation.READ, sector, sectors, false);
    }

    private double write(long sector, long sectors) {
        return run(BlockOperation.WRITE, sector, sectors, false);
    }

    private double flush() {
        return run(BlockOperation.FLUSH, 0, 0, false);
    }

    private void idle(double ms) {
        nowNs += (long) (ms * 1e6);
    }

    @Test
    void aReadWaitsForItsSectorToComeRound() {
        assertThat(read(100, 1)).isCloseTo(100 * SECTOR_MS + SECTOR_MS + BUS_MS, within(0.001));
    }

    @Test
    void theWaitDependsOnTheMomentAlone() {
        idle(4);
        assertThat(read(100, 1))
                .isCloseTo(REVOLUTION_MS - 4 + 101 * SECTOR_MS + BUS_MS, within(0.001));
    }

    @Test
    void aSectorJustMissedCostsARevolution() {
        disk.apply(new DriveSettings(false, false));
        read(100, 1);
        assertThat(read(100, 1)).isCloseTo(REVOLUTION_MS + BUS_MS - BUS_MS, within(0.02));
    }

    @Test
    void aSecondReadOfTheSameSectorsComesFromTheBuffer() {
        read(100, 8);
        assertThat(read(100, 8)).isCloseTo(0.1 + 8 * BUS_MS, within(0.001));
    }

    @Test
    void sequentialReadsRunAtTheSpeedOfTheMediumHoweverSmall() {
        read(0, 64);
        double ms = 0;
        for (int i = 1; i <= 100; i++) {
            ms += read(i * 64L, 64);
        }
        double tracks = 6400 / 500.0;
        double skews = 50 * SECTOR_MS * 6 + 100 * SECTOR_MS * 6;
        assertThat(ms).isCloseTo(tracks * REVOLUTION_MS + skews, within(1.0));
    }

    @Test
    void withoutReadAheadEachSequentialReadCostsARevolution() {
        disk.apply(new DriveSettings(false, true));
        read(0, 64);
        for (int i = 1; i < 7; i++) {
            assertThat(read(i * 64L, 64)).isCloseTo(REVOLUTION_MS + 64 * SECTOR_MS, within(0.1));
        }
    }

    @Test
    void readAheadGoesOnWhileNobodyAsks() {
        read(0, 8);
        idle(5);
        assertThat(read(8, 200))
                .as("5 ms are 250 sectors")
                .isCloseTo(0.1 + 200 * BUS_MS, within(0.001));
    }

    @Test
    void readAheadStopsWhenTheSegmentIsFull() {
        read(0, 8);
        idle(500);
        long segment = 512;
        assertThat(read(8, segment)).isCloseTo(0.1 + segment * BUS_MS, within(0.001));
        assertThat(read(8 + segment, 8)).as("the head has to come round again").isGreaterThan(0.3);
    }

    @Test
    void aSeekTakesLongerTheFartherItGoes() {
        disk.apply(new DriveSettings(false, false));
        double near = 0;
        double far = 0;
        for (int i = 0; i < 50; i++) {
            read(0, 1);
            idle(i * 0.7);
            near += read(10 * 1000L, 1);
            read(0, 1);
            idle(i * 0.7);
            far += read(400 * 1000L, 1);
        }
        assertThat(far / 50).isGreaterThan(near / 50 + 2);
    }

    @Test
    void aWriteIsReportedFromTheBufferAndTheMediumFollows() {
        assertThat(write(5000, 64)).isCloseTo(0.1 + 64 * BUS_MS, within(0.001));
        assertThat(flush()).as("seek, rotation and media are still owed").isGreaterThan(1.28);
        assertThat(flush()).as("nothing is owed").isCloseTo(0.3, within(0.001));
    }

    @Test
    void theBufferEmptiesByItselfWhenLeftAlone() {
        write(5000, 64);
        idle(40);
        assertThat(flush()).isCloseTo(0.3, within(0.001));
    }

    @Test
    void writesSlowDownToTheMediumOnceTheBufferIsFull() {
        double first = 0;
        double last = 0;
        for (int i = 0; i < 200; i++) {
            double ms = write(i * 256L, 256);
            if (i < 4) {
                first += ms;
            } else if (i >= 100) {
                last += ms;
            }
        }
        assertThat(first / 4).isCloseTo(0.1 + 256 * BUS_MS, within(0.001));
        double perTrack = REVOLUTION_MS + 75 * SECTOR_MS;
        assertThat(last / 100).isCloseTo(256 / 500.0 * perTrack, within(0.5));
    }

    @Test
    void forceUnitAccessWaitsForTheMedium() {
        double ms = run(BlockOperation.WRITE, 5000, 64, true);
        assertThat(ms).isGreaterThan(0.3 + 64 * SECTOR_MS);
        assertThat(flush()).isCloseTo(0.3, within(0.001));
    }

    @Test
    void withoutWriteBackEveryWriteWaitsForTheMedium() {
        disk.apply(new DriveSettings(true, false));
        assertThat(write(5000, 64)).isGreaterThan(0.3 + 64 * SECTOR_MS);
    }

    @Test
    void aReadOfWhatIsStillToBeWrittenComesFromTheBuffer() {
        write(5000, 64);
        assertThat(read(5000, 64)).isCloseTo(0.1 + 64 * BUS_MS, within(0.001));
    }

    @Test
    void aWriteMakesTheBuffersOldCopyUseless() {
        read(100, 8);
        write(100, 8);
        flush();
        assertThat(read(100, 8)).isGreaterThan(0.1 + 8 * BUS_MS + 0.05);
    }

    @Test
    void aDiscardCostsOneCommandWhateverItsLength() {
        assertThat(run(BlockOperation.DISCARD, 0, 100_000, false)).isCloseTo(0.1, within(0.001));
    }

    @Test
    void innerZonesAreSlower() {
        long inner = 1_000_000;
        read(inner, 64);
        double ms = 0;
        for (int i = 1; i <= 50; i++) {
            ms += read(inner + i * 64L, 64);
        }
        assertThat(ms / (50 * 64)).isGreaterThan(1.8 * SECTOR_MS);
    }

    @Test
    void theSameCommandsTakeTheSameTime() {
        var other = new IdeDiskTest();
        for (int i = 0; i < 500; i++) {
            long sector = Math.floorMod(i * 7919L * 1009, CAPACITY / 512 - 64);
            assertThat(read(sector, 1 + i % 64)).isEqualTo(other.read(sector, 1 + i % 64));
            assertThat(write(sector, 1 + i % 64)).isEqualTo(other.write(sector, 1 + i % 64));
        }
    }
}
