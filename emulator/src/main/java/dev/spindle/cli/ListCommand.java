package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code spindle list}: what is being served, and where. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description =
                "Shows the devices of all daemons of this user that run, with their paths"
                        + " and addresses.",
        footerHeading = "%nExamples:%n",
        footer = {"  spindle list", "  SPINDLE_RUNTIME_DIR=/tmp/mine spindle list"})
final class ListCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    ListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        List<Daemons.Found> all = Daemons.of(surroundings.environment()).all();
        if (all.isEmpty()) {
            surroundings.out().println("no daemon is running; start one with 'spindle serve CONF'");
        }
        for (Daemons.Found found : all) {
            surroundings
                    .out()
                    .println(
                            "daemon "
                                    + found.daemon().pid()
                                    + (found.daemon().isPrivate() ? ", private" : "")
                                    + ", "
                                    + found.daemon().folder());
            for (ControlAnswer device : found.answer().objects("devices")) {
                surroundings
                        .out()
                        .println(
                                "  "
                                        + device.text("name")
                                        + "  "
                                        + device.text("description")
                                        + "  "
                                        + device.text("path")
                                        + "  "
                                        + String.join("  ", device.texts("addresses")));
            }
        }
        return 0;
    }
}
