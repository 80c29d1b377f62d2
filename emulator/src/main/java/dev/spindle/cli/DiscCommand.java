package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle disc}: formats, blanks or finalises the disc in a burner. */
@Command(
        name = "disc",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Begins an operation on the whole disc in a burner that is being served, and says how"
                    + " long it takes. Until then the drive does nothing else: requests wait.",
            "  format        every packet is written once; the disc is empty and can be written",
            "  quick-format  the lead-in alone, the data stays; DVDs",
            "  blank         the whole disc; CD-RW and DVD-RW",
            "  quick-blank   the lead-in alone; CD-RW and DVD-RW",
            "  finalise      lead-in and lead-out; not on DVD-RAM",
            "A disc that is being written or read is refused, as are operations its kind does not"
                    + " know. Whoever is connected keeps what he was told about writing."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  spindle disc dvd format", "  spindle stat dvd"})
final class DiscCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DEVICE", description = "As 'spindle list' names it.")
    private String device;

    @Parameters(index = "1", paramLabel = "OPERATION", description = "What to do.")
    private String operation;

    @Option(
            names = "--daemon",
            paramLabel = "PID",
            description = "Which daemon, where several serve a device of that name.")
    private Optional<Long> pid;

    private final Surroundings surroundings;

    DiscCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException, RefusedException {
        Daemons.Found found = Daemons.of(surroundings.environment()).serving(device, pid);
        ControlAnswer answer = found.client().ask(new ControlRequest.Disc(device, operation));
        surroundings
                .out()
                .printf(
                        "%s: %s takes %.1f s of the device's time%n",
                        device, answer.text("operation"), answer.number("takes_s"));
        return 0;
    }
}
