package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** One zone of 100 sectors of 0.1 ms on a track, two heads; 0.05 ms a sector on the bus. */
class DiskControllerTest {
    private static final double MS = 1e6;
    private static final double TURN = 10;
    private static final Overhead OVERHEAD =
            new Overhead(
                    new Overhead.After(100_000, 150_000),
                    new Overhead.After(200_000, 250_000),
                    new Overhead.After(300_000, 350_000),
                    new Overhead.After(400_000, 450_000),
                    0,
                    0,
                    0,
                    0);
    private static final Cache.Writes FIRST = new Cache.Writes(64, true, true, true, false, true);
    private static final ReadAheadRule SEGMENT =
            new ReadAheadRule(
                    ReadAheadRule.Scope.SEGMENT, 0, 64, true, false, false, false, false, false);

    private double nowNs;

    private static DiskController disk(Overhead overhead, Bus bus, Cache cache) {
        var profile =
                new DiskProfile(
                        6000,
                        2,
                        HeadOrder.ASCENDING,
                        List.of(new Zone(100, 100, 10, 20)),
                        SeekCurve.ofTable(new int[] {1, 99}, new long[] {1_000_000, 5_000_000}),
                        500_000,
                        200_000,
                        overhead,
                        bus,
                        cache);
        var geometry = new DiskGeometry(2, profile.zones(), 1);
        return new DiskController(profile, geometry, geometry.sectors());
    }

    private static DiskController disk(Cache.Writes writes, ReadAheadRule readAhead) {
        return disk(OVERHEAD, bus(), new Cache(2, 64, writes, readAhead));
    }

    private static Bus bus() {
        return Bus.of(512e9 / 50_000);
    }

    private double read(DiskController disk, long first, long sectors) {
        disk.catchUp(nowNs);
        return spent(disk.read(nowNs, first, sectors));
    }

    private double write(DiskController disk, long first, long sectors) {
        disk.catchUp(nowNs);
        return spent(disk.write(nowNs, first, sectors, false));
    }

    private double spent(double endNs) {
        double ms = (endNs - nowNs) / MS;
        nowNs = endNs;
        return ms;
    }

    private void idle(double ms) {
        nowNs += ms * MS;
    }

    @Test
    void aHitCostsWhatTheCommandBeforeMakesOfIt() {
        DiskController disk = disk(FIRST, SEGMENT);
        read(disk, 0, 4);
        idle(50);
        assertThat(read(disk, 4, 4)).as("goes on").isCloseTo(0.1 + 0.2, within(1e-6));
        assertThat(read(disk, 20, 4)).as("skips").isCloseTo(0.15 + 0.2, within(1e-6));
    }

    @Test
    void whatTheHostHasIsGivenUpIfReadAheadGoesOverIt() {
        DiskController disk = disk(FIRST, SEGMENT);
        read(disk, 0, 4);
        idle(50);
        read(disk, 4, 4);
        assertThat(read(disk, 4, 4)).isGreaterThan(1);
    }

    @Test
    void readAheadEndsWithTheTrackIfThatIsItsRule() {
        var rule =
                new ReadAheadRule(
                        ReadAheadRule.Scope.TRACK, 0, 0, false, false, false, false, false, false);
        DiskController disk = disk(OVERHEAD, bus(), new Cache(2, 128, FIRST, rule));
        read(disk, 60, 4);
        idle(50);
        assertThat(read(disk, 90, 10)).isLessThan(1);
        idle(50);
        assertThat(read(disk, 100, 4)).as("the next track").isGreaterThan(1);
    }

    @Test
    void readAheadCrossesTheTrackIfTheNextOneFits() {
        var rule =
                new ReadAheadRule(
                        ReadAheadRule.Scope.NEXT_TRACK,
                        0,
                        200,
                        false,
                        false,
                        false,
                        false,
                        false,
                        false);
        DiskController disk = disk(OVERHEAD, bus(), new Cache(2, 256, FIRST, rule));
        read(disk, 60, 4);
        idle(80);
        assertThat(read(disk, 190, 10)).isLessThan(1);
        assertThat(read(disk, 200, 4)).isGreaterThan(1);
    }

    @Test
    void aDiskMayKeepWhatPassesBeforeAndThenTheWholeTrack() {
        var rule =
                new ReadAheadRule(
                        ReadAheadRule.Scope.NEXT_TRACK,
                        0,
                        0,
                        false,
                        false,
                        false,
                        true,
                        true,
                        false);
        DiskController disk = disk(OVERHEAD, bus(), new Cache(2, 128, FIRST, rule));
        read(disk, 60, 4);
        assertThat(read(disk, 30, 4)).as("passed on the way").isLessThan(1);
        idle(50);
        assertThat(read(disk, 0, 4)).as("read in the turn after").isLessThan(1);
    }

    @Test
    void aDiskMayOweSomeReadAheadBeforeItTurnsAway() {
        var patient =
                new ReadAheadRule(
                        ReadAheadRule.Scope.SEGMENT,
                        40,
                        64,
                        true,
                        false,
                        false,
                        false,
                        false,
                        false);
        assertThat(isAheadOfTheTurn(disk(FIRST, SEGMENT))).isFalse();
        assertThat(isAheadOfTheTurn(disk(FIRST, patient))).isTrue();
    }

    private boolean isAheadOfTheTurn(DiskController disk) {
        read(disk, 0, 4);
        read(disk, 2000, 1);
        return read(disk, 30, 4) < 1;
    }

    @Test
    void aWriteIsReportedOnceItIsInTheBufferAndTheNextCommandWaitsForIt() {
        DiskController disk = disk(FIRST, SEGMENT);
        assertThat(write(disk, 500, 8)).isCloseTo(0.35 + 0.4, within(1e-6));
        assertThat(read(disk, 10, 1)).as("write, then seek back").isGreaterThan(2);
    }

    @Test
    void aWriteThatGoesOnFromTheLastOneDoesNotWait() {
        DiskController disk = disk(FIRST, SEGMENT);
        write(disk, 500, 8);
        assertThat(write(disk, 508, 8)).isCloseTo(0.35 + 0.4, within(1e-6));
    }

    @Test
    void readsFindWhatWasWritten() {
        DiskController disk = disk(FIRST, SEGMENT);
        write(disk, 500, 8);
        idle(50);
        assertThat(read(disk, 502, 4)).isCloseTo(0.15 + 0.2, within(1e-6));
    }

    @Test
    void aWriteMayDropWhatWasRead() {
        var dropping = new Cache.Writes(64, true, true, true, true, true);
        for (Cache.Writes writes : new Cache.Writes[] {FIRST, dropping}) {
            DiskController disk = disk(writes, SEGMENT);
            read(disk, 0, 4);
            idle(50);
            write(disk, 5000, 4);
            idle(50);
            assertThat(read(disk, 10, 4) > 1).isEqualTo(writes.dropsReads());
        }
    }

    @Test
    void withoutWriteBackTheMediumMustHaveIt() {
        DiskController disk = disk(new Cache.Writes(64, false, true, true, false, true), SEGMENT);
        double ready = 0.4 + 0.05;
        assertThat(write(disk, 50, 4)).isCloseTo(5 + 0.4, within(1e-6));
        assertThat(ready).isLessThan(5);
    }

    @Test
    void aSectorThatComesTooLateFromTheHostCostsATurn() {
        var slow = Bus.of(512e9 / 200_000);
        var writes = new Cache.Writes(64, false, true, true, false, true);
        DiskController disk = disk(OVERHEAD, slow, new Cache(2, 64, writes, SEGMENT));
        assertThat(write(disk, 6, 1)).as("there at 0.6 ms").isCloseTo(0.7, within(1e-6));
        nowNs = 1000 * TURN * MS;
        assertThat(write(disk, 6, 8)).as("caught up with").isGreaterThan(TURN);
    }

    @Test
    void theLeastMoveHoldsForAnArmThatStandsStill() {
        var overhead =
                new Overhead(
                        Overhead.After.NOTHING,
                        Overhead.After.NOTHING,
                        Overhead.After.NOTHING,
                        Overhead.After.NOTHING,
                        0,
                        0,
                        2_000_000,
                        0);
        DiskController disk = disk(overhead, bus(), new Cache(2, 64, FIRST, SEGMENT));
        assertThat(read(disk, 10, 1)).as("passed at 1 ms").isCloseTo(TURN + 1 + 0.15, within(1e-6));
    }

    @Test
    void theWatermarkHoldsTheBusBack() {
        Bus held =
                new Bus(
                        50_000,
                        50_000,
                        1,
                        30_000,
                        20_000,
                        Overhead.After.NOTHING,
                        0,
                        Bus.ExtraRelease.NONE);
        DiskController disk = disk(OVERHEAD, held, new Cache(2, 64, FIRST, SEGMENT));
        assertThat(read(disk, 50, 10)).isCloseTo(5 + 1 + 0.05 + 0.5, within(1e-6));
    }

    @Test
    void theExtraReleaseIsForWritesThatFollowOthersElsewhere() {
        var extra = new Bus.ExtraRelease(true, 600_000, 100_000, 400_000, 0, 0, 0);
        Bus bus = new Bus(50_000, 50_000, 0, 0, 0, Overhead.After.NOTHING, 0, extra);
        DiskController disk = disk(OVERHEAD, bus, new Cache(2, 64, FIRST, SEGMENT));
        assertThat(write(disk, 500, 1)).isCloseTo(0.35 + 0.05, within(1e-6));
        idle(50);
        assertThat(write(disk, 900, 1)).isCloseTo(0.6 + 0.1 + 0.4 + 0.05, within(1e-6));
        idle(50);
        assertThat(write(disk, 901, 1)).as("goes on").isCloseTo(0.35 + 0.05, within(1e-6));
    }
}
