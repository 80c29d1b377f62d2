package dev.spindle.cli;

import dev.spindle.config.Tunable;
import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle tune}: changes settings of a device that is being served. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Changes settings of a device while it is in use: all of those given, or none. Requests"
                    + " for which there is room now go on at once.",
            "The last part of a key alone will do. 'spindle stat DEVICE' shows the values. Keys:"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle tune hda queue/nr_requests=1024",
            "  spindle tune hda queue/nr_requests=64 queue/hard_cap=off",
            "  spindle tune hda drive/write_back=off --daemon 4711"
        })
final class TuneCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DEVICE", description = "As 'spindle list' names it.")
    private String device;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY=VALUE",
            description = "What to change.")
    private List<String> settings;

    @Option(
            names = "--daemon",
            paramLabel = "PID",
            description = "Which daemon, where several serve a device of that name.")
    private Optional<Long> pid;

    private final Surroundings surroundings;

    TuneCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** Adds the table of tunables to the command's help. */
    static void explainKeys(CommandLine tune) {
        var usage = tune.getCommandSpec().usageMessage();
        List<String> lines = new ArrayList<>(List.of(usage.description()));
        for (Tunable each : Tunable.values()) {
            lines.add("  %s (%s): %s".formatted(each.path(), each.allowed(), each.sentence()));
        }
        usage.description(lines.toArray(String[]::new));
    }

    @Override
    public Integer call() throws IOException, RefusedException {
        Map<String, String> asked = SettingsOption.parse(settings);
        Daemons.Found found = Daemons.of(surroundings.environment()).serving(device, pid);
        ControlAnswer answer = found.client().ask(new ControlRequest.Tune(device, asked));
        surroundings.out().println(device + ": " + StatText.settings(answer.object("settings")));
        return 0;
    }
}
