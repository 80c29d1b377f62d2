package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.config.BusConfig;
import dev.spindle.config.CacheConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.DiscState;
import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.DriveConfig;
import dev.spindle.config.HeadOrderKind;
import dev.spindle.config.MediumType;
import dev.spindle.config.NullDriveConfig;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.config.OverheadConfig;
import dev.spindle.config.SeekConfig;
import dev.spindle.config.SeekCurveConfig;
import dev.spindle.config.SeekPointConfig;
import dev.spindle.config.SeekTableConfig;
import dev.spindle.config.ZoneConfig;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.NullDrive;
import dev.spindle.drive.disk.Bus;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.Overhead;
import dev.spindle.drive.disk.ReadAheadRule;
import dev.spindle.drive.disk.Zone;
import dev.spindle.media.MemoryStore;
import dev.spindle.packet.OpenRefusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DrivesTest {
    private static final long CAPACITY = 1 << 20;

    private static DiskDriveConfig disk(SeekConfig seek) {
        return new DiskDriveConfig(
                "d",
                "model",
                512,
                512,
                128,
                4200,
                2,
                HeadOrderKind.ASCENDING,
                List.of(new ZoneConfig(300, 100, 5, 9), new ZoneConfig(200, 80, 4, 8)),
                seek,
                1_500_000,
                500_000,
                new OverheadConfig(1, 2, 3, 4),
                BusConfig.ofRate(66_000_000),
                new CacheConfig(8 << 20, 16, true, false));
    }

    private static Drive open(DriveConfig config) {
        return Drives.open(
                config, Optional.empty(), CAPACITY, DataMover.inline(new MemoryStore(CAPACITY)));
    }

    @Test
    void carriesEveryFigureOfAProfileOver() {
        DiskProfile profile =
                DiskProfiles.of(disk(new SeekCurveConfig(2_500_000, 12_000_000, 23_000_000)));
        assertThat(profile.rpm()).isEqualTo(4200);
        assertThat(profile.heads()).isEqualTo(2);
        assertThat(profile.zones())
                .containsExactly(new Zone(300, 100, 5, 9), new Zone(200, 80, 4, 8));
        assertThat(profile.headSwitchNs()).isEqualTo(1_500_000);
        assertThat(profile.writeSettleNs()).isEqualTo(500_000);
        assertThat(profile.overhead()).isEqualTo(Overhead.of(1, 2, 3, 4));
        assertThat(profile.bus()).isEqualTo(Bus.of(66_000_000));
        assertThat(profile.cache().segments()).isEqualTo(16);
        assertThat(profile.cache().segmentSectors()).isEqualTo(1024);
        assertThat(profile.cache().readAhead()).isEqualTo(ReadAheadRule.FULL_SEGMENT);
        assertThat(profile.cache().writes().maxSectors()).isEqualTo(8192);
        assertThat(profile.cache().writes().isWriteBack()).isFalse();
        assertThat(profile.seek().timeNs(1)).isEqualTo(2_500_000);
        assertThat(profile.seek().timeNs(499)).isEqualTo(23_000_000);
    }

    @Test
    void readsAMeasuredSeekTable() {
        SeekTableConfig table =
                new SeekTableConfig(
                        List.of(new SeekPointConfig(1, 1000), new SeekPointConfig(11, 2000)));
        assertThat(DiskProfiles.of(disk(table)).seek().timeNs(6)).isEqualTo(1500);
    }

    @Test
    void startsADiskWithItsCacheAsConfigured() {
        Drive drive = open(disk(new SeekCurveConfig(1, 2, 3)));
        assertThat(drive.settings()).isEqualTo(new DriveSettings(true, false));
    }

    @Test
    void theSettingsAndTheDriveAgreeOnEveryMedium() {
        for (MediumType medium : MediumType.values()) {
            assertThat(Discs.kind(medium).capacityBytes()).isEqualTo(medium.capacityBytes());
            assertThat(Discs.kind(medium).packetBlocks() * 2048).isEqualTo(medium.packetBytes());
        }
    }

    @Test
    void everyStateOfADiscIsRefusedAsTheDriverDid() {
        for (DiscState state : DiscState.values()) {
            assertThat(refusal(MediumType.CD_RW, state, 65536)).isEqualTo(ofCd(state));
            Optional<OpenRefusal> ofDvdPlus =
                    switch (state) {
                        case FORMATTED, BLANK, FINALISED, UNFORMATTED -> Optional.empty();
                        case WRITE_PROTECTED -> Optional.of(OpenRefusal.WRITE_PROTECTED);
                        case READ_ONLY -> Optional.of(OpenRefusal.PROFILE);
                    };
            assertThat(refusal(MediumType.DVD_PLUS_RW, state, 32768)).isEqualTo(ofDvdPlus);
        }
        assertThat(refusal(MediumType.CD_RW, DiscState.FORMATTED, 0))
                .contains(OpenRefusal.PACKET_ZERO);
        assertThat(refusal(MediumType.CD_RW, DiscState.FORMATTED, 512 << 10))
                .contains(OpenRefusal.PACKET_LARGE);
    }

    private static Optional<OpenRefusal> ofCd(DiscState state) {
        return switch (state) {
            case FORMATTED -> Optional.empty();
            case BLANK, FINALISED, UNFORMATTED -> Optional.of(OpenRefusal.NO_PACKETS);
            case WRITE_PROTECTED -> Optional.of(OpenRefusal.WRITE_PROTECTED);
            case READ_ONLY -> Optional.of(OpenRefusal.PROFILE);
        };
    }

    private static Optional<OpenRefusal> refusal(MediumType medium, DiscState state, int packet) {
        OpticalDriveConfig drive =
                new OpticalDriveConfig(
                        "o",
                        "o",
                        128,
                        medium,
                        4,
                        List.of(4.0),
                        false,
                        4,
                        0,
                        0,
                        0,
                        0,
                        20_000_000,
                        2 << 20);
        return Discs.info(drive, new DiscConfig(state, packet, Optional.empty())).refusal(false);
    }

    @Test
    void knowsWhatTurns() {
        NullDriveConfig none = new NullDriveConfig("null", "none", 512, 512, 128);
        assertThat(open(none)).isInstanceOf(NullDrive.class);
        assertThat(Drives.isRotational(none)).isFalse();
        assertThat(Drives.isRotational(disk(new SeekCurveConfig(1, 2, 3)))).isTrue();
    }
}
