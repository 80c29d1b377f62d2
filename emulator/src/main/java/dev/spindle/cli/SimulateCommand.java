package dev.spindle.cli;

import dev.spindle.config.SettingNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spindle experiment simulate}: a workload of the user's own, in virtual time. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Runs a workload on a device and a host in virtual time, with the machines that serve"
                    + " live requests, and prints what it comes to. The same seed gives the same"
                    + " figures.",
            "KEY is any setting of docs/configuration.md, as short as it is clear: nr_requests,"
                    + " packet/congestion_on, drive.rpm, host.dirty, depth."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle experiment simulate --drive laptop-ide-2006 --pattern random --depth 32"
                    + " --sweep elevator=noop,deadline,cfq",
            "  spindle experiment simulate --workload aio-2006 --sweep nr_requests=32..2048*2"
                    + " --html pool.html",
            "  spindle experiment simulate --workload many-files --seeds 5"
                    + " --sweep packet/congestion_on=1024..65536*4",
            "  spindle experiment simulate --workload mixed --sweep depth=1..64*4"
                    + " --sweep write_back=on,off"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final String CONF = "conf/simulate.conf";

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "Devices, workloads and hosts; " + CONF + " if not said.")
    private Optional<Path> conf;

    @Option(names = "--device", paramLabel = "NAME", description = "A device of the file.")
    private Optional<String> device;

    @Option(
            names = "--drive",
            paramLabel = "PROFILE",
            description = "A drive profile: the first device with it, or put into --device.")
    private Optional<String> drive;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            description = "A workload of the file to begin with; else one of defaults.")
    private Optional<String> workload;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any setting, of device, queue, drive, packet writer or host.")
    private List<String> settings = List.of();

    @Option(
            names = "--sweep",
            paramLabel = "KEY=A,B,C",
            description = {
                "A row for each value; twice for a grid. Ranges: 128..4096*2 doubles, 0..100+25 adds."
            })
    private List<String> sweeps = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Takes the median over so many seeds, ${DEFAULT-VALUE} if not said.")
    private int seeds;

    @Option(names = "--json", description = "As one JSON object.")
    private boolean isJson;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes a page with the table and plots as well.")
    private Optional<Path> html;

    @Spec private CommandSpec spec;

    private final Surroundings surroundings;

    SimulateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Each key of a workload is an option, told from the table of keys. */
    static void addWorkloadOptions(CommandLine simulate) {
        CommandSpec spec = simulate.getCommandSpec();
        for (SettingNames.Described key : SettingNames.ofWorkload()) {
            String option = option(key);
            if (spec.findOption(option) == null) {
                spec.addOption(
                        OptionSpec.builder(option)
                                .paramLabel("VALUE")
                                .type(String.class)
                                .description(key.sentence() + " (" + key.allowed() + ")")
                                .build());
            }
        }
    }

    private static String option(SettingNames.Described key) {
        return "--" + key.name().replace('_', '-');
    }

    /** They would be taken for those of the scorecard, and forgotten. */
    private void refuseOptionsBeforeTheName() {
        var before = spec.commandLine().getParent().getParseResult().matchedOptions();
        if (!before.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    before.getFirst().longestName() + " stands before 'simulate': put it behind");
        }
    }

    private Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        for (SettingNames.Described key : SettingNames.ofWorkload()) {
            OptionSpec option = spec.findOption(option(key));
            if (!key.name().equals("device") && option.getValue() instanceof String value) {
                flags.put(key.name(), value);
            }
        }
        return flags;
    }

    @Override
    public Integer call() throws IOException {
        refuseOptionsBeforeTheName();
        ExperimentCommand.requireSeeds(seeds);
        Path file = conf.orElseGet(() -> surroundings.requireHome(CONF).resolve(CONF));
        var order =
                new Experiments.Simulation(
                        file,
                        device,
                        drive,
                        workload,
                        flags(),
                        SettingsOption.parse(settings),
                        sweeps,
                        seeds,
                        isJson,
                        html);
        ExperimentCommand.experiments().simulate(order, surroundings.out());
        return 0;
    }
}
