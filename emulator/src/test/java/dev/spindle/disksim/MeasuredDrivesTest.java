package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiskDriveConfig;
import dev.spindle.daemon.DiskProfiles;
import dev.spindle.drive.disk.DiskProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model against drives that exist. Parameters and traces are not part of the repository: they
 * are looked for in $SPINDLE_DISKSIM, or in ../shared/disksim beside the repository. Where the
 * folder is not there, the drive's name is in the message of the skipped test; where it is, all
 * must be.
 */
class MeasuredDrivesTest {
    private static final double WORST_DEMERIT = 0.05;

    private static Optional<Path> files() {
        String named = System.getenv("SPINDLE_DISKSIM");
        return named == null
                ? Stream.of("../shared/disksim", "../../shared/disksim", "../../../shared/disksim")
                        .map(Path::of)
                        .filter(Files::isDirectory)
                        .findFirst()
                : Optional.of(Path.of(named));
    }

    @ParameterizedTest
    @CsvSource({
        "cheetah9LP, cheetah9LP, 0.107",
        "atlas10k, atlas10k, 0.268",
        "barracuda, barracuda, 0.349",
        "cheetah4LP, cheetah4LP, 0.318",
        "hp_c2247a, hp_c2247a, 0.095",
        "hp_c3323a, hp_c3323a, 0.306",
        "hp_c3323a_validate, hp_c3323a, 0.306"
    })
    void isCloseToTheDrive(String drive, String trace, double worstRmsMs) throws DiskSimException {
        Optional<Path> files = files();
        assumeTrue(
                files.isPresent(),
                () -> drive + " skipped: neither $SPINDLE_DISKSIM nor ../shared/disksim is there");
        Path folder = files.orElseThrow();
        MeasuredDrive read = DriveReader.read(folder.resolve(drive + ".diskspecs"));
        Validation validation = Validation.of(read, folder.resolve(trace + ".trace"));
        assertThat(validation.all().demerit()).as(drive).isLessThanOrEqualTo(WORST_DEMERIT);
        assertThat(validation.all().rmsMs()).as(drive).isLessThanOrEqualTo(worstRmsMs);
    }

    @ParameterizedTest
    @CsvSource({
        "cheetah-9lp, cheetah9LP",
        "atlas-10k, atlas10k",
        "barracuda-4lp, barracuda",
        "cheetah-4lp, cheetah4LP",
        "hp-c2247a, hp_c2247a",
        "hp-c3323a, hp_c3323a"
    })
    void theShippedProfileIsTheSameDrive(String profile, String drive, @TempDir Path scratch)
            throws DiskSimException, IOException {
        DiskProfile shipped = shipped(profile, scratch);
        Optional<Path> files = files();
        assumeTrue(files.isPresent(), () -> profile + " not replayed: the traces are not there");
        Path folder = files.orElseThrow();
        Path trace = folder.resolve(drive + ".trace");
        MeasuredDrive read = DriveReader.read(folder.resolve(drive + ".diskspecs"));
        MeasuredDrive ours = new MeasuredDrive(profile, shipped, true, List.of());
        assertThat(Validation.of(ours, trace).all().rmsMs())
                .isCloseTo(Validation.of(read, trace).all().rmsMs(), within(0.001));
    }

    private static DiskProfile shipped(String profile, Path scratch) throws IOException {
        Path drives = Path.of("..", "conf", "drives");
        Path root = Files.isDirectory(drives) ? drives : Path.of("conf", "drives");
        Files.copy(root.resolve(profile + ".conf"), scratch.resolve("drive.conf"));
        Path conf =
                Files.writeString(
                        scratch.resolve("x.conf"),
                        "include \"drive.conf\"\ndevices { d { drive = %s, size = 1 GiB } }\n"
                                .formatted(profile));
        DeviceConfig device = ConfigLoader.load(conf, Map.of()).devices().getFirst();
        return DiskProfiles.of((DiskDriveConfig) device.drive());
    }
}
