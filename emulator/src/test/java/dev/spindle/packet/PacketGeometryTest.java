package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PacketGeometryTest {
    private final PacketGeometry dvd = new PacketGeometry(16, 0, 6400);

    @Test
    void aZoneIsAPacketFromTheStart() {
        assertThat(dvd.zoneOf(0)).isZero();
        assertThat(dvd.zoneOf(63)).isZero();
        assertThat(dvd.zoneOf(64)).isEqualTo(64);
        assertThat(dvd.frames(64)).isEqualTo(16);
        assertThat(dvd.packetBytes()).isEqualTo(32768);
    }

    @Test
    void aTrackThatBeginsWithinAPacketShiftsTheZones() {
        PacketGeometry shifted = new PacketGeometry(16, 19, 6400);
        assertThat(shifted.offsetSectors()).isEqualTo(12);
        assertThat(shifted.zoneOf(0)).isEqualTo(-12);
        assertThat(shifted.firstSector(-12)).isZero();
        assertThat(shifted.frames(-12)).isEqualTo(13);
        assertThat(shifted.zoneOf(51)).isEqualTo(-12);
        assertThat(shifted.zoneOf(52)).isEqualTo(52);
    }

    @Test
    void theLastZoneIsAsLongAsTheDevice() {
        PacketGeometry odd = new PacketGeometry(32, 0, 128 + 20);
        assertThat(odd.endSector(128)).isEqualTo(148);
        assertThat(odd.frames(128)).isEqualTo(5);
    }

    @Test
    void refusesPacketsThatAreNone() {
        assertThatThrownBy(() -> new PacketGeometry(0, 0, 64)).hasMessageContaining("packet=0");
        assertThatThrownBy(() -> new PacketGeometry(24, 0, 64)).hasMessageContaining("24");
        assertThatThrownBy(() -> new PacketGeometry(256, 0, 64)).hasMessageContaining("128");
        assertThatThrownBy(() -> new PacketGeometry(16, 0, 62)).hasMessageContaining("62");
    }
}
