package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskGeometryTest {
    private static final List<Zone> ZONES =
            List.of(new Zone(10, 100, 10, 20), new Zone(10, 50, 5, 10));
    private final DiskGeometry geometry = new DiskGeometry(2, ZONES, 1);
    private final DiskGeometry.Position at = new DiskGeometry.Position();

    @Test
    void countsTheSectorsOfAllZones() {
        assertThat(geometry.sectors()).isEqualTo(10 * 2 * 100 + 10 * 2 * 50);
        assertThat(geometry.naturalCylinders()).isEqualTo(20);
    }

    @Test
    void laysSectorsAlongTheTrackThenTheHeadsThenTheCylinders() {
        geometry.locate(0, at);
        assertThat(at.cylinder).isZero();
        assertThat(at.head).isZero();
        assertThat(at.sectorsToTrackEnd).isEqualTo(100);
        geometry.locate(150, at);
        assertThat(at.cylinder).isZero();
        assertThat(at.head).isEqualTo(1);
        assertThat(at.sectorsToTrackEnd).isEqualTo(50);
        geometry.locate(200, at);
        assertThat(at.cylinder).isEqualTo(1);
        assertThat(at.head).isZero();
        geometry.locate(2000, at);
        assertThat(at.cylinder).isEqualTo(10);
        assertThat(at.sectorsPerTrack).isEqualTo(50);
        geometry.locate(2999, at);
        assertThat(at.cylinder).isEqualTo(19);
        assertThat(at.head).isEqualTo(1);
        assertThat(at.sectorsToTrackEnd).isEqualTo(1);
    }

    @Test
    void skewsEachTrackAndEachCylinder() {
        geometry.locate(100, at);
        assertThat(at.angle).as("second track").isCloseTo(0.10, within(1e-9));
        geometry.locate(200, at);
        assertThat(at.angle).as("second cylinder").isCloseTo(0.30, within(1e-9));
        geometry.locate(325, at);
        assertThat(at.angle).as("its second track, 25 sectors on").isCloseTo(0.65, within(1e-9));
    }

    @Test
    void stretchesToHoldALargerDevice() {
        var stretched = new DiskGeometry(2, ZONES, 10_000);
        assertThat(stretched.sectors()).isEqualTo(12_000);
        assertThat(stretched.strokeScale()).isEqualTo(4);
        assertThat(stretched.naturalCylinders()).isEqualTo(20);
        stretched.locate(8000, at);
        assertThat(at.cylinder).isEqualTo(40);
        assertThat(at.sectorsPerTrack).isEqualTo(50);
    }

    @Test
    void refusesADiskWithoutHeadsOrZones() {
        assertThatThrownBy(() -> new DiskGeometry(0, ZONES, 1)).hasMessageContaining("heads=0");
        assertThatThrownBy(() -> new DiskGeometry(1, List.of(), 1)).hasMessageContaining("zones=0");
    }

    private DiskGeometry of(Zone zone) {
        return new DiskGeometry(2, List.of(zone), 1);
    }

    private static Zone zone(Sparing sparing, Defects defects) {
        return new Zone(0, 10, 100, 10, 20, 0, 0, sparing, defects);
    }

    @Test
    void aZoneBeginsWhereItsOffsetSaysAfterItsGapAndItsEmptySpace() {
        var shifted = of(new Zone(3, 10, 100, 10, 20, 25, 130, Sparing.NONE, Defects.NONE));
        assertThat(shifted.sectors()).isEqualTo(2000 - 130);
        assertThat(shifted.naturalCylinders()).isEqualTo(13);
        shifted.locate(0, at);
        assertThat(at.cylinder).isEqualTo(3);
        assertThat(at.head).isEqualTo(1);
        assertThat(at.angle).isCloseTo(0.25 + 0.10 + 0.30, within(1e-9));
        assertThat(at.sectorsFromTrackStart).isEqualTo(30);
        assertThat(at.sectorsToTrackEnd).isEqualTo(70);
    }

    @Test
    void skewsMayBeFractionsOfASector() {
        of(new Zone(10, 100, 10.5, 20)).locate(100, at);
        assertThat(at.angle).isCloseTo(0.105, within(1e-9));
    }

    @Test
    void everySecondCylinderMayGoBackThroughTheHeads() {
        var serpentine =
                new DiskGeometry(
                        2, HeadOrder.SERPENTINE_IN_ZONE, List.of(new Zone(10, 100, 10, 20)), 1);
        serpentine.locate(100, at);
        assertThat(at.head).isEqualTo(1);
        serpentine.locate(200, at);
        assertThat(at.cylinder).isEqualTo(1);
        assertThat(at.head).as("no switch at the step inwards").isEqualTo(1);
        assertThat(at.angle).isCloseTo(0.30, within(1e-9));
        serpentine.locate(300, at);
        assertThat(at.head).isZero();
    }

    @Test
    void aSlippedSectorMovesThoseBehindItIntoTheSparesOfTheirGroup() {
        var slipped =
                of(
                        zone(
                                new Sparing(2, 5, false, false, false),
                                new Defects(1, List.of(50, 250), List.of())));
        assertThat(slipped.sectors()).isEqualTo(2000 - 10 * 5);
        slipped.locate(49, at);
        assertThat(at.sector).isEqualTo(49);
        assertThat(at.runSectors).as("up to the bad one").isEqualTo(1);
        assertThat(at.sectorsToTrackEnd).isEqualTo(50);
        slipped.locate(50, at);
        assertThat(at.sector).isEqualTo(51);
        slipped.locate(195, at);
        assertThat(at.cylinder).as("the next group").isEqualTo(1);
        assertThat(at.sector).isZero();
        slipped.locate(195 + 50, at);
        assertThat(at.sector).as("its own slip, not that before").isEqualTo(51);
    }

    @Test
    void aSlipMayReachOnThroughTheZone() {
        var slipped =
                of(
                        zone(
                                new Sparing(2, 5, false, true, false),
                                new Defects(1, List.of(50), List.of())));
        assertThat(slipped.sectors()).isEqualTo(2000 - 50 - 1);
        slipped.locate(195, at);
        assertThat(at.cylinder).isEqualTo(1);
        assertThat(at.sector).isEqualTo(1);
    }

    @Test
    void aSlippedTrackMovesWholeTracks() {
        var slipped =
                of(
                        zone(
                                new Sparing(0, 200, false, false, false),
                                new Defects(100, List.of(1), List.of())));
        assertThat(slipped.sectors()).isEqualTo(1800);
        slipped.locate(99, at);
        assertThat(at.head).isZero();
        slipped.locate(100, at);
        assertThat(at.cylinder).isEqualTo(1);
        assertThat(at.head).isZero();
    }

    @Test
    void aRemappedSectorLiesElsewhereAndItsNeighboursDoNot() {
        var remapped =
                of(
                        zone(
                                new Sparing(0, 100, false, false, false),
                                new Defects(1, List.of(), List.of(new Defects.Remap(150, 1905)))));
        remapped.locate(149, at);
        assertThat(at.runSectors).isEqualTo(1);
        remapped.locate(150, at);
        assertThat(at.cylinder).isEqualTo(9);
        assertThat(at.head).isEqualTo(1);
        assertThat(at.sector).isEqualTo(5);
        assertThat(at.runSectors).isEqualTo(1);
        remapped.locate(151, at);
        assertThat(at.cylinder).isZero();
        assertThat(at.sector).isEqualTo(51);
    }

    /** Whatever the scheme: every address has a place of its own. */
    @Test
    void noTwoAddressesShareAPlace() {
        for (int group : new int[] {0, 1, 2, 4}) {
            int spare = group == 2 ? 1801 : 1999;
            var defects =
                    new Defects(1, List.of(7, 8, 205, 999), List.of(new Defects.Remap(60, spare)));
            for (boolean reachesOn : new boolean[] {false, true}) {
                var disk = of(zone(new Sparing(group, 6, group == 2, reachesOn, false), defects));
                var taken = new BitSet();
                for (long sector = 0; sector < disk.sectors(); sector++) {
                    disk.locate(sector, at);
                    int place = (int) ((at.cylinder * 2 + at.head) * 100 + at.sector);
                    assertThat(taken.get(place)).as("group %d sector %d", group, sector).isFalse();
                    taken.set(place);
                }
            }
        }
    }

    @Test
    void refusesAZoneOfSparesOnly() {
        assertThatThrownBy(() -> of(zone(new Sparing(1, 100, false, false, false), Defects.NONE)))
                .hasMessageContaining("leave nothing");
    }
}
