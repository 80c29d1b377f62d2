package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conf files people start from. */
final class ShippedConfTest {
    static final Path ROOT =
            Files.isDirectory(Path.of("conf")) ? Path.of("") : Path.of("..").normalize();

    static DeviceConfig device(String file) {
        return ConfigLoader.load(ROOT.resolve("conf").resolve(file), Map.of()).devices().getFirst();
    }

    private static DiskDriveConfig laptop() {
        return (DiskDriveConfig) device("spindle.conf").drive();
    }

    @Test
    void spindleConfIsTheLaptopDisk() {
        DeviceConfig hda = device("spindle.conf");
        assertThat(hda.name()).isEqualTo("hda");
        assertThat(hda.path()).isEqualTo("/dev/hda");
        assertThat(hda.sizeBytes()).isEqualTo(1 << 30);
        assertThat(hda.store()).isEqualTo(new MemoryStoreConfig(false));
        assertThat(hda.drive().profile()).isEqualTo("laptop-ide-2006");
        assertThat(hda.drive().maxHwSectorsKb()).isEqualTo(128);
        assertThat(hda.queue().nrRequests()).isEqualTo(128);
    }

    @Test
    void nullConfIsOneFastDevice() {
        DeviceConfig fast = device("null.conf");
        assertThat(fast.name()).isEqualTo("fast");
        assertThat(fast.sizeBytes()).isEqualTo(8L << 30);
        assertThat(fast.store()).isEqualTo(new MemoryStoreConfig(true));
        assertThat(fast.drive())
                .isEqualTo(new NullDriveConfig("null", "Null drive", 512, 512, 32768));
        assertThat(fast.queue().maxSectorsKb()).isEqualTo(32768);
    }

    @Test
    void theLaptopsOuterZoneStreamsAsFastAsTheThreadMeasured() {
        assertThat(bytesPerSecond(laptop(), laptop().zones().getFirst()))
                .isCloseTo(19.7e6, within(19.7e6 * 0.005));
    }

    @Test
    void theLaptopHoldsFortyGigabytesInTwelveZonesThatNarrowInwards() {
        assertThat((double) laptop().naturalBytes()).isCloseTo(40e9, within(0.1e9));
        assertThat(laptop().zones()).hasSize(12);
        assertThat(laptop().zones())
                .extracting(ZoneConfig::sectorsPerTrack)
                .isSortedAccordingTo((a, b) -> Integer.compare(b, a));
        assertThat((double) laptop().zones().getLast().sectorsPerTrack() / 639)
                .isCloseTo(0.55, within(0.01));
    }

    @Test
    void theDesktopHoldsEightyGigabytes() {
        DiskDriveConfig desktop =
                (DiskDriveConfig)
                        ConfigLoader.load(
                                        ROOT.resolve("conf/spindle.conf"),
                                        Map.of("devices.hda.drive", "desktop-ide-7200"))
                                .devices()
                                .getFirst()
                                .drive();
        assertThat((double) desktop.naturalBytes()).isCloseTo(80e9, within(0.1e9));
        desktop.zones().forEach(zone -> assertSkewsSuffice(desktop, zone));
    }

    @Test
    void everySkewCoversTheSwitchItIsFor() {
        laptop().zones().forEach(zone -> assertSkewsSuffice(laptop(), zone));
    }

    private static void assertSkewsSuffice(DiskDriveConfig disk, ZoneConfig zone) {
        double sectorNs = 60e9 / disk.rpm() / zone.sectorsPerTrack();
        long settleNs = disk.writeSettleNs();
        long seekNs = ((SeekCurveConfig) disk.seek()).trackToTrackNs();
        assertThat(zone.trackSkewSectors() * sectorNs)
                .isBetween(
                        (double) disk.headSwitchNs() + settleNs,
                        disk.headSwitchNs() + settleNs + 2.1 * sectorNs);
        assertThat(zone.cylinderSkewSectors() * sectorNs)
                .isBetween((double) seekNs + settleNs, seekNs + settleNs + 2.1 * sectorNs);
    }

    private static double bytesPerSecond(DiskDriveConfig disk, ZoneConfig zone) {
        double revolution = 60.0 / disk.rpm();
        double sector = revolution / zone.sectorsPerTrack();
        double cylinder =
                disk.heads() * revolution
                        + (disk.heads() - 1) * zone.trackSkewSectors() * sector
                        + zone.cylinderSkewSectors() * sector;
        return disk.heads() * zone.sectorsPerTrack() * 512 / cylinder;
    }
}
