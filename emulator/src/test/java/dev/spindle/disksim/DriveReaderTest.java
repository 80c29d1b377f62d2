package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.drive.disk.DiskGeometry;
import dev.spindle.drive.disk.DiskProfile;
import dev.spindle.drive.disk.HeadOrder;
import dev.spindle.drive.disk.ReadAheadRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriveReaderTest {
    @TempDir Path folder;
    private SampleFiles files;

    @BeforeEach
    void writeSamples() throws IOException {
        files = SampleFiles.in(folder);
    }

    private void refuses(String file, String from, String to, String message) throws IOException {
        files.bend(file, from, to);
        assertThatThrownBy(() -> files.read())
                .isInstanceOf(DiskSimException.class)
                .hasMessage(message.replace("@", folder + "/"));
    }

    @Test
    void readsADriveFromItsThreeFiles() throws DiskSimException {
        MeasuredDrive drive = files.read();
        DiskProfile profile = drive.profile();
        assertThat(drive.name()).isEqualTo("SMALL");
        assertThat(drive.isBusKnown()).isTrue();
        assertThat(profile.rpm()).isEqualTo(6000);
        assertThat(profile.heads()).isEqualTo(2);
        assertThat(profile.zones()).hasSize(2);
        assertThat(profile.seek().timeNs(10)).isCloseTo(2e6, within(1.0));
        assertThat(profile.headSwitchNs()).isEqualTo(500_000);
        assertThat(profile.bus().readSectorNs()).isEqualTo(50_000);
        assertThat(profile.overhead().readHit().readNs()).isEqualTo(100_000);
        assertThat(profile.cache().segmentSectors()).isEqualTo(64);
        assertThat(profile.cache().readAhead().scope()).isEqualTo(ReadAheadRule.Scope.SEGMENT);
        assertThat(profile.cache().writes().isWriteBack()).isTrue();
        assertThat(sectors(profile)).isEqualTo(10 * 2 * 100 + 10 * 2 * 50);
    }

    private static long sectors(DiskProfile profile) {
        return new DiskGeometry(profile.heads(), profile.headOrder(), profile.zones(), 0).sectors();
    }

    @Test
    void whatIsNotSaidIsZeroOrOff() throws DiskSimException {
        DiskProfile profile = files.read().profile();
        assertThat(profile.overhead().writeMiss().writeNs()).isZero();
        assertThat(profile.bus().extra().isDone()).isFalse();
        assertThat(profile.zones().get(1).trackSkewSectors()).isZero();
    }

    @Test
    void reportsWhatItDoesNotKnowAndGoesOn() throws IOException, DiskSimException {
        files.bend("small.diskspecs", "Fast write level = 1,", "Fast write level = 1, Colour = 7,");
        assertThat(files.read().notes())
                .containsExactly(folder + "/small.diskspecs:8: 'Colour' is not used");
    }

    @Test
    void readsTheBusFromAWholeSystem() throws IOException, DiskSimException {
        files.bend("small.diskspecs", "= 0.05", "= 0.0");
        assertThat(files.read().isBusKnown()).isFalse();
        files.write(
                "small.parv",
                """
                disksim_bus BUS0 { Read block transfer time = 0.1, Write block transfer time = 0.2 }
                source small.diskspecs
                instantiate [ disk0 .. disk1 ] as SMALL
                topology disksim_iodriver driver0 [ disksim_bus bus0 [ disksim_disk disk0 [] ] ]
                """);
        MeasuredDrive drive = DriveReader.read(files.path("small.parv"));
        assertThat(drive.isBusKnown()).isTrue();
        assertThat(drive.profile().bus().readSectorNs()).isEqualTo(100_000);
        assertThat(drive.profile().bus().writeSectorNs()).isEqualTo(200_000);
    }

    @Test
    void knowsSkewsInRevolutions() throws IOException, DiskSimException {
        files.bend(
                        "small.model",
                        "Skew for track switch = 10,",
                        "Skew units = revolutions, Skew for track switch = 0.1,")
                .bend(
                        "small.model",
                        "Skew for cylinder switch = 20",
                        "Skew for cylinder switch = 0.2")
                .bend("small.model", "Offset of first block = 5", "Offset of first block = 0.05");
        assertThat(files.read().profile().zones().getFirst().trackSkewSectors())
                .isCloseTo(10, within(1e-9));
    }

    @Test
    void knowsSerpentineOrder() throws IOException, DiskSimException {
        files.bend("small.model", "mapping scheme = 0", "mapping scheme = 1");
        assertThat(files.read().profile().headOrder()).isEqualTo(HeadOrder.SERPENTINE_IN_ZONE);
    }

    @Test
    void countsSparesByTheirScheme() throws IOException, DiskSimException {
        long[] expected = {
            3000, 3000 - 300, 3000 - 60, 3000 - 120, 3000 - 60, 3000 - 60, 3000 - 60
        };
        for (int scheme = 1; scheme <= 6; scheme++) {
            SampleFiles.in(folder)
                    .bend(
                            "small.model",
                            "Sparing scheme used = 0",
                            "Sparing scheme used = " + scheme)
                    .bend(
                            "small.model",
                            "Number of spares = 0",
                            "Number of spares = " + (scheme == 1 ? 2 : 3));
            assertThat(sectors(files.read().profile()))
                    .as("scheme %d", scheme)
                    .isEqualTo(expected[scheme]);
        }
    }

    @Test
    void readsTheSeekEquations() throws IOException, DiskSimException {
        files.bend(
                "small.model",
                "Seek type = extracted",
                "Seek type = hpl, HPL seek equation values = [ 9, 1.0, 0.5, 2.0, 0.1, 1.2 ]");
        DiskProfile profile = files.read().profile();
        assertThat(profile.seek().timeNs(1)).isEqualTo(1_200_000);
        assertThat(profile.seek().timeNs(4)).isCloseTo(2e6, within(1.0));
        assertThat(profile.seek().timeNs(15)).isCloseTo(3.5e6, within(1.0));
        files.bend(
                "small.model",
                "Seek type = hpl,",
                "Seek type = hplplus10, First ten seek times = [1,2,3,4,5,6,7,8,9,10.5],");
        assertThat(files.read().profile().seek().timeNs(10)).isEqualTo(10_500_000);
    }

    @Test
    void readsTheThreeFiguresAsLineOrCurve() throws IOException, DiskSimException {
        String figures =
                "Single cylinder seek time = 1.0, Average seek time = 5.0, Full strobe seek time = 9.0";
        files.bend("small.model", "Seek type = extracted", "Seek type = linear, " + figures);
        assertThat(files.read().profile().seek().timeNs(19)).isCloseTo(9e6, within(1.0));
        files.bend("small.model", "Seek type = linear", "Seek type = curve");
        assertThat(files.read().profile().seek().timeNs(1)).isEqualTo(1_000_000);
        files.bend(
                "small.model", "Seek type = curve", "Seek type = constant, Constant seek time = 2");
        assertThat(files.read().profile().seek().timeNs(17)).isEqualTo(2_000_000);
    }

    @Test
    void saysWhatIsLackingAndWhere() throws IOException {
        refuses(
                "small.model",
                "   Number of data surfaces = 2,\n",
                "",
                "@small.model:1: dm_disk SMALL_model lacks 'Number of data surfaces'");
    }

    @Test
    void saysWhichZoneLacksItsTracks() throws IOException {
        refuses(
                "small.model",
                "            Blocks per track = 50,\n",
                "",
                "@small.model:21: dm_layout_g1_zone lacks 'Blocks per track'");
    }

    @Test
    void saysWhichFileIsNotThere() throws IOException {
        refuses(
                "small.diskspecs",
                "source small.model",
                "source other.model",
                "@small.diskspecs:3: names @other.model, which does not exist");
    }

    @Test
    void saysWhatANumberMayBe() throws IOException {
        refuses(
                "small.model",
                "rpms) = 6000",
                "rpms) = 0",
                "@small.model:36: 'Rotation speed (in rpms)' = 0 is out of range, allowed 1 to 1000000");
    }

    @Test
    void saysWhatIsNoNumber() throws IOException {
        refuses(
                "small.model",
                "rpms) = 6000",
                "rpms) = fast",
                "@small.model:36: 'Rotation speed (in rpms)' = fast is not a number");
    }

    @Test
    void refusesZonesThatOverlap() throws IOException {
        refuses(
                "small.model",
                "First cylinder number = 10",
                "First cylinder number = 9",
                "@small.model:21: a zone from cylinder 9 to 19 does not fit: the next free cylinder is 10");
    }

    @Test
    void refusesLayoutsItDoesNotKnow() throws IOException {
        refuses(
                "small.model",
                "dm_layout_g1 {",
                "dm_layout_g4 {",
                "@small.model:4: layout dm_layout_g4 is not supported, only dm_layout_g1 is");
    }

    @Test
    void refusesSeekTypesItDoesNotKnow() throws IOException {
        refuses(
                "small.model",
                "Seek type = extracted",
                "Seek type = guessed",
                "@small.model:32: 'Seek type' = guessed, allowed constant, linear, curve, hpl,"
                        + " hplplus10 or extracted");
    }

    @Test
    void refusesASeekLineThatIsNone() throws IOException {
        refuses(
                "small.seek",
                "19, 3.0",
                "nineteen",
                "@small.seek:3: expected 'distance, milliseconds', found 'nineteen'");
    }

    @Test
    void refusesHalfAPairOfDefects() throws IOException {
        refuses(
                "small.model",
                "defects = []",
                "defects = [ 3 ]",
                "@small.model:19: 'defects' are pairs, found 1 numbers");
    }

    @Test
    void refusesAFileWithoutADrive() throws IOException {
        files.write("small.diskspecs", "disksim_bus B { type = 1 }");
        assertThatThrownBy(() -> files.read())
                .hasMessage(folder + "/small.diskspecs:1: holds no disksim_disk block");
    }

    /** The DEC RZ26's and the HP C2490A's files have it so. */
    @Test
    void aWriteMayNeedLessSettlingThanARead() throws IOException, DiskSimException {
        MeasuredDrive drive = files.bend("small.model", "delay = 0.1", "delay = -0.483").read();
        assertThat(drive.profile().writeSettleNs()).isEqualTo(-483_000);
        assertThat(ProfileExport.of("x.conf", drive, Optional.empty()))
                .contains("write_settle = -0.483 ms");
    }
}
