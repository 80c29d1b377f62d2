package dev.spindle.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code spindle experiment}: the mailing-list threads replayed, and how close we come. */
@Command(
        name = "experiment",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Replays the mailing-list threads that Spindle is measured against, in virtual time,"
                    + " and prints each figure of theirs beside ours. Exit status 1 when a gate"
                    + " is missed.",
            "'list' names the experiments, 'all' runs every one of them; 'simulate' runs a workload"
                    + " of your own."
        },
        subcommands = SimulateCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle experiment list",
            "  spindle experiment 000",
            "  spindle experiment all --html scorecard.html",
            "  spindle experiment 001 --live",
            "  spindle experiment simulate --help"
        })
final class ExperimentCommand implements Callable<Integer> {
    private static final int MAX_SEEDS = 1000;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "An experiment, all, or list.")
    private Optional<String> asked;

    @Option(names = "--json", description = "As one JSON object.")
    private boolean isJson;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes a page with the scorecard and plots as well.")
    private Optional<Path> html;

    @Option(
            names = "--live",
            description = {
                "Runs 000, 001 or 004 by real programs under the shim, in this machine's time,"
                        + " instead."
            })
    private boolean isLive;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Random layouts to take the median over, ${DEFAULT-VALUE} if not said.")
    private int seeds;

    @Spec private CommandSpec spec;

    private final Surroundings surroundings;

    ExperimentCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        String name =
                asked.orElseThrow(() ->
                        new CommandLine.ParameterException(
                                spec.commandLine(),
                                "Missing required parameter: 'NAME' (all, simulate, or one that"
                                        + " 'list' names)"));
        Experiments experiments = experiments();
        if (name.equals("list")) {
            experiments.list().forEach(line -> surroundings.out().println(line));
            return 0;
        }
        requireSeeds(seeds);
        Path home = surroundings.requireHome("conf/experiments.conf");
        var order = new Experiments.Order(name, isJson, html, seeds, isLive);
        return experiments.run(order, home, surroundings.out()) ? 0 : Main.FAILED;
    }

    static Experiments experiments() {
        return ServiceLoader.load(Experiments.class)
                .findFirst()
                .orElseThrow(() -> new Failure("the experiments are not built: run 'make build'"));
    }

    static void requireSeeds(int seeds) {
        if (seeds < 1 || seeds > MAX_SEEDS) {
            throw new Failure("--seeds " + seeds + ": allowed 1 to " + MAX_SEEDS);
        }
    }
}
