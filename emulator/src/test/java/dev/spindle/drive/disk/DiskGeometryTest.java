package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

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
}
