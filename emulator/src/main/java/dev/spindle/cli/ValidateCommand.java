package dev.spindle.cli;

import dev.spindle.disksim.DiskSimException;
import dev.spindle.disksim.DriveReader;
import dev.spindle.disksim.MeasuredDrive;
import dev.spindle.disksim.ProfileExport;
import dev.spindle.disksim.QuantilePlot;
import dev.spindle.disksim.Validation;
import dev.spindle.disksim.ValidationReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spindle validate}: how far the model of a drive is from the drive that was measured. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description =
                "Replays a measured trace against the model of its drive, in virtual time, and"
                        + " compares the service times.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle validate --disksim atlas10k.diskspecs --trace atlas10k.trace",
            "  spindle validate --disksim D.diskspecs --trace D.trace --json --svg D.svg",
            "  spindle validate --disksim D.diskspecs --notes --export-conf conf/drives/D.conf"
        })
final class ValidateCommand implements Callable<Integer> {
    @Option(
            names = "--disksim",
            required = true,
            paramLabel = "FILE",
            description =
                    "The drive: DiskSim's .diskspecs, or a whole .parv, which also says how fast the"
                            + " bus was.")
    private Path disksim;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "The measured trace, a request a line: R|W word sector sectors service_us"
                            + " think_us.")
    private @Nullable Path trace;

    @Option(names = "--json", description = "One JSON object on one line.")
    private boolean isJson;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draws the distributions of model and drive.")
    private @Nullable Path svg;

    @Option(
            names = "--export-conf",
            paramLabel = "FILE",
            description = "Writes the drive as a profile for a conf file, named like the file.")
    private @Nullable Path exportConf;

    @Option(
            names = "--notes",
            description = "Says which parameters of the drive's files are not used.")
    private boolean isNotes;

    private final Surroundings surroundings;

    ValidateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        if (trace == null && (isJson || svg != null || (exportConf == null && !isNotes))) {
            throw new Failure(
                    "validate: --trace is missing; without it only --export-conf and --notes work");
        }
        try {
            MeasuredDrive drive = DriveReader.read(disksim);
            if (isNotes) {
                drive.notes().forEach(surroundings.err()::println);
            }
            Optional<Validation> validation =
                    trace == null ? Optional.empty() : Optional.of(Validation.of(drive, trace));
            validation.ifPresent(this::print);
            if (svg != null && validation.isPresent()) {
                Files.writeString(svg, QuantilePlot.of(validation.get()));
            }
            if (exportConf != null) {
                String name = String.valueOf(exportConf.getFileName());
                Files.writeString(exportConf, ProfileExport.of(name, drive, validation));
            }
        } catch (DiskSimException bad) {
            throw new Failure(String.valueOf(bad.getMessage()));
        }
        return 0;
    }

    private void print(Validation validation) {
        surroundings
                .out()
                .println(
                        isJson
                                ? ValidationReport.json(validation)
                                : ValidationReport.text(validation).stripTrailing());
        surroundings.out().flush();
    }
}
