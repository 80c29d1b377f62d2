package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidationTest {
    @TempDir Path folder;
    private SampleFiles files;

    @BeforeEach
    void writeSamples() throws IOException {
        files = SampleFiles.in(folder);
    }

    private Validation replay(String trace) throws IOException, DiskSimException {
        return Validation.of(files.read(), Files.writeString(folder.resolve("t"), trace));
    }

    private void refuses(String trace, String message) {
        assertThatThrownBy(() -> replay(trace)).hasMessage(folder.resolve("t") + message);
    }

    /** 10 ms a revolution; the first sector lies 5 of 100 behind the index; a step costs 1 ms. */
    @Test
    void theNextRequestBeginsAThinkTimeAfterTheModelsEnd() throws IOException, DiskSimException {
        Validation validation = replay("R Miss 0 1 1000 0\nR Miss 100 1 2000 5000\n");
        double first = 0.2 + 0.75 - 0.2 - 0.75 + 0.5 + 0.1 + 0.05;
        assertThat(validation.reads().modelQuantilesMs(2)[0]).isCloseTo(first + 10, within(10.0));
        assertThat(validation.all().count()).isEqualTo(2);
        assertThat(validation.all().meanDriveMs()).isCloseTo(1.5, within(1e-9));
        assertThat(validation.writes().count()).isZero();
    }

    @Test
    void theSameTraceGivesTheSameTimes() throws IOException, DiskSimException {
        String trace = "R Hit 5 4 900 100\nW Hit 1500 8 800 7000\nR Hit 9 4 700 0\n";
        assertThat(replay(trace).all().modelQuantilesMs(3))
                .isEqualTo(replay(trace).all().modelQuantilesMs(3));
    }

    @Test
    void fitsTheBusToTheBufferHitsOfTheTrace() throws IOException, DiskSimException {
        files.bend("small.diskspecs", "= 0.05", "= 0");
        StringBuilder trace = new StringBuilder();
        for (int run = 0; run < 20; run++) {
            for (int length = 1; length <= 8; length *= 2) {
                trace.append("R Miss %d %d 9000 0\n".formatted(run * 20, length));
                trace.append(
                        "R Hit %d %d %d 0\n"
                                .formatted(run * 20 + length, length, 300 + 150 * length));
            }
        }
        Validation validation = replay(trace.toString());
        assertThat(validation.isBusFitted()).isTrue();
        assertThat(validation.profile().bus().readSectorNs()).isCloseTo(150_000, within(1.0));
    }

    @Test
    void printsJsonWithTheAgreedKeys() throws IOException, DiskSimException {
        assertThat(ValidationReport.json(replay("R Hit 5 4 900 100\n")))
                .matches(
                        "\\{\"drive\":\"SMALL\",\"requests\":1,"
                                + "\"all\":\\{\"mean_drive_ms\":0.9\\d*,\"mean_model_ms\":[\\d.]+,"
                                + "\"rms_ms\":[\\d.]+,\"demerit\":[\\d.]+},"
                                + "\"reads\":\\{.*},\"writes\":\\{\"mean_drive_ms\":0.0+,.*}}");
    }

    @Test
    void drawsAPlot() throws IOException, DiskSimException {
        String svg = QuantilePlot.of(replay("R Hit 5 4 900 100\nW Hit 5 4 1900 100\n"));
        assertThat(svg).startsWith("<svg ").endsWith("</svg>\n").contains("SMALL", "demerit");
        assertThat(svg.split("<polyline", -1)).hasSize(7);
    }

    @Test
    void exportsAProfile() throws IOException, DiskSimException {
        Validation validation = replay("R Hit 5 4 900 100\n");
        assertThat(ProfileExport.of("small.conf", validation.drive(), Optional.of(validation)))
                .contains("    small {", "rpm   = 6000", "offset = 5", "# Demerit ");
        assertThat(ProfileExport.profileName("Cheetah_9LP.conf")).isEqualTo("cheetah-9lp");
    }

    @Test
    void refusesALineThatIsNoRequest() {
        refuses(
                "R Hit 5 4 900 100\nX Hit 5 4 900 100\n",
                ":2: expected 'R|W word sector sectors service_us think_us', found 'X Hit 5 4 900"
                        + " 100'");
        refuses(
                "R Hit 5 4 900\n",
                ":1: expected 'R|W word sector sectors service_us think_us', found 'R Hit 5 4 900'");
    }

    @Test
    void refusesWhatIsNoNumber() {
        refuses("R Hit 5 four 900 1\n", ":1: expected four numbers, found 'R Hit 5 four 900 1'");
    }

    @Test
    void refusesSectorsBeyondTheDrive() {
        refuses("R Hit 2999 2 900 1\n", ":1: sectors 2999 to 3000 are beyond the drive's 3000");
        refuses("R Hit -1 2 900 1\n", ":1: sectors -1 to 0 are beyond the drive's 3000");
    }

    @Test
    void refusesTimesThatAreNone() {
        refuses("R Hit 1 2 -9 1\n", ":1: service_us=-9 think_us=1 are no times");
        refuses("R Hit 1 2 9 NaN\n", ":1: service_us=9 think_us=NaN are no times");
    }

    @Test
    void refusesAnEmptyTrace() {
        refuses("\n", ": holds no requests");
    }
}
