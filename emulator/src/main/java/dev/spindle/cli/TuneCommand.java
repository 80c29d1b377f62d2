package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle tune}: changes settings of a device that is being served. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Changes settings of a device while it is in use, all of those given or none. Requests"
                    + " that need wait no longer go on at once.",
            "Keys: queue/nr_requests, queue/max_sectors_kb, queue/hard_cap, queue/congestion_on,"
                    + " queue/congestion_off, queue/elevator, drive/read_ahead, drive/write_back."
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

    @Override
    public Integer call() throws IOException, RefusedException {
        Map<String, String> asked = SettingsOption.parse(settings);
        Daemons.Found found = Daemons.of(surroundings.environment()).serving(device, pid);
        ControlAnswer answer = found.client().ask(new ControlRequest.Tune(device, asked));
        ControlAnswer after = answer.object("settings");
        StringBuilder line = new StringBuilder(device + ":");
        after.fields()
                .forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
        surroundings.out().println(line);
        return 0;
    }
}
