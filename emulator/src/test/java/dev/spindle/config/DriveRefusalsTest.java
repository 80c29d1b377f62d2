package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused of a drive profile, used by a device or not. */
final class DriveRefusalsTest {
    @TempDir Path folder;
    private ConfFixture conf = new ConfFixture(Path.of("."));

    @BeforeEach
    void makeFixture() {
        conf = new ConfFixture(folder);
    }

    /** A sound device on two lines, then the disk with one line of it changed. */
    private void refuses(String line, String instead, String... faults) {
        assertThat(ConfFixture.DISK).contains(line);
        String text =
                ConfFixture.DRIVE + ConfFixture.DEVICE + ConfFixture.DISK.replace(line, instead);
        assertThat(conf.faults(text)).containsExactly(faults);
    }

    @Test
    void refusesAnUnknownKind() {
        refuses(
                "kind = disk",
                "kind = disc",
                "x.conf:4: drives.k.kind: \"disc\" is unknown, allowed disk or null");
    }

    @Test
    void refusesADiskWithoutItsMechanics() {
        refuses("rpm = 4200", "", "x.conf:3: drives.k.rpm: is missing, allowed 60 to 100000");
    }

    @Test
    void refusesMechanicsInANullDrive() {
        assertThat(
                        conf.faults(
                                ConfFixture.DRIVE
                                        + ConfFixture.DEVICE
                                        + "drives.d { heads = 2\n cache { } }"))
                .containsExactly(
                        "x.conf:3: drives.d.heads: belongs to kind = disk",
                        "x.conf:4: drives.d.cache: belongs to kind = disk");
    }

    @Test
    void refusesABlockThatIsNoPowerOfTwo() {
        refuses(
                "heads = 2",
                "heads = 2, logical_block = 1000, physical_block = 1 KiB",
                "x.conf:7: drives.k.logical_block: 1000 B is not a power of two, allowed 512 B to 4"
                        + " KiB");
    }

    @Test
    void refusesAPhysicalBlockLessThanTheLogicalOne() {
        refuses(
                "heads = 2",
                "logical_block = 4 KiB, physical_block = 512, heads = 2",
                "x.conf:7: drives.k.physical_block: 512 B is less than logical_block = 4 KiB");
    }

    @Test
    void refusesATimeWithoutAUnit() {
        refuses(
                "head_switch = 1.5ms",
                "head_switch = 1.5",
                "x.conf:10: drives.k.head_switch: \"1.5\" has no unit, allowed 0 ns to 1 s");
    }

    @Test
    void refusesARateInBits() {
        refuses(
                "66 MB/s",
                "66 Mbit/s",
                "x.conf:11: drives.k.bus_rate: \"66 Mbit/s\" has an unknown unit, known here: GB/s"
                        + " MB/s KB/s B/s kB/s KiB/s MiB/s GiB/s, allowed 1 KB/s to 1000 GB/s");
    }

    @Test
    void refusesZonesThatAreNoList() {
        refuses(
                "zones = [ { cylinders = 10, sectors_per_track = 100, track_skew = 5, cylinder_skew = 9 } ]",
                "zones = 5",
                "x.conf:8: drives.k.zones: is not such a list, allowed [ { ... }, ... ] of 1 to"
                        + " 1024");
    }

    @Test
    void refusesAnUnknownKeyInAZone() {
        refuses(
                "track_skew = 5",
                "trak_skew = 5",
                "x.conf:8: drives.k.zones[0].trak_skew: unknown key, did you mean track_skew?");
    }

    @Test
    void refusesAZoneThatIsNoSection() {
        refuses("zones = [", "zones = [ 5,", "x.conf:8: drives.k.zones[0]: is not { ... }");
    }

    @Test
    void refusesASkewOfAWholeTrack() {
        refuses(
                "cylinder_skew = 9",
                "cylinder_skew = 100",
                "x.conf:8: drives.k.zones[0].cylinder_skew: 100 is out of range, allowed less than"
                        + " sectors_per_track = 100");
    }

    @Test
    void refusesAnAverageSeekShorterThanTheShortest() {
        refuses(
                "average = 12ms",
                "average = 2ms",
                "x.conf:9: drives.k.seek.average: 2 ms is less than track_to_track = 2.5 ms");
    }

    @Test
    void refusesAFullStrokeShorterThanTheAverage() {
        refuses(
                "full_stroke = 23ms",
                "full_stroke = 11ms",
                "x.conf:9: drives.k.seek.full_stroke: 11 ms is less than average = 12 ms");
    }

    @Test
    void refusesBothACurveAndATable() {
        refuses(
                "average = 12ms, full_stroke = 23ms",
                "table = [ { cylinders = 1, time = 1ms } ]",
                "x.conf:9: drives.k.seek.track_to_track: clashes with seek.table, allowed either of"
                        + " them");
    }

    @Test
    void refusesATableWhoseDistancesDoNotAscend() {
        refuses(
                "track_to_track = 2.5ms, average = 12ms, full_stroke = 23ms",
                "table = [ { cylinders = 5, time = 2ms },\n { cylinders = 5, time = 3ms } ]",
                "x.conf:10: drives.k.seek.table[1]: table is not ascending: needs more cylinders"
                        + " than 5");
    }

    @Test
    void refusesSlipsThatDoNotAscend() {
        refuses(
                "track_skew = 5",
                "slips = \"7 7\"",
                "x.conf:8: drives.k.zones[0].slips: 7 does not ascend");
    }

    @Test
    void refusesHalfAPairOfRemaps() {
        refuses(
                "track_skew = 5",
                "remaps = \"7 9 8\"",
                "x.conf:8: drives.k.zones[0].remaps: 3 numbers are not pairs");
    }

    @Test
    void refusesWhatIsNoNumber() {
        refuses(
                "track_skew = 5",
                "track_skew = five",
                "x.conf:8: drives.k.zones[0].track_skew: \"five\" is not a number, allowed 0 to"
                        + " 65535");
        refuses(
                "track_skew = 5",
                "slips = \"7 x\"",
                "x.conf:8: drives.k.zones[0].slips: \"x\" is not allowed, allowed none or at most"
                        + " 10000 whole numbers");
    }

    @Test
    void refusesCacheSegmentsSmallerThanABlock() {
        refuses(
                "heads = 2",
                "heads = 2, cache { size = 1 KiB, segments = 4 }",
                "x.conf:7: drives.k.cache.segments: 4 segments of a cache of 1 KiB do not hold one"
                        + " logical block each");
    }

    @Test
    void refusesAQueueDefaultBeyondTheController() {
        refuses(
                "heads = 2",
                "heads = 2, queue { max_sectors_kb = 256 }",
                "x.conf:7: drives.k.queue.max_sectors_kb: 256 is more than the drive's"
                        + " max_hw_sectors_kb, allowed 4 to 128");
    }

    @Test
    void refusesQueueMarksThatCross() {
        refuses(
                "heads = 2",
                "heads = 2, queue { congestion_on = 5, congestion_off = 6 }",
                "x.conf:7: drives.k.queue.congestion_off: 6 is more than congestion_on, allowed"
                        + " auto or 1 to 5");
    }
}
