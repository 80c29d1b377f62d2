package dev.spindle.cli;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.control.Json;
import dev.spindle.daemon.DeviceStack;
import dev.spindle.replay.Overhang;
import dev.spindle.replay.Replay;
import dev.spindle.replay.ReplayReport;
import dev.spindle.replay.ReplayResult;
import dev.spindle.replay.Speed;
import dev.spindle.replay.Target;
import dev.spindle.trace.RecordedTrace;
import dev.spindle.trace.TraceDevice;
import dev.spindle.trace.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code spindle replay}: recorded requests made again of a device of ours, in virtual time. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionText.class,
        description = {
            "Makes the requests of a blktrace or of fio's iolog (version 2 or 3) of a device of a"
                    + " conf file, in virtual time, and prints how long they took. Of a blktrace"
                    + " also how long they took when it was recorded.",
            "No daemon is needed, and no data is read or written."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle replay sda --conf conf/spindle.conf",
            "  spindle replay job.iolog --conf conf/spindle.conf --speed as-fast --depth 8",
            "  spindle replay sda --conf my.conf --device hda --scale --json"
        })
final class ReplayCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            description = "The trace; of a blktrace NAME, as for blkparse -i, or one of its files.")
    private Path file;

    @Option(
            names = "--conf",
            paramLabel = "CONF",
            description = "Whose device; conf/spindle.conf of the installation if not said.")
    private Optional<Path> conf;

    @Option(names = "--device", paramLabel = "NAME", description = "Where CONF has several.")
    private Optional<String> device;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Overrides a setting of the conf file; may be given again.")
    private List<String> set = new ArrayList<>();

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            defaultValue = "as-recorded",
            description = {
                "as-recorded: each request at its own time;",
                "as-fast: so many under way at any time as --depth says;",
                "dependent: each as long after the end of the one it waited for as it was then.",
                "${DEFAULT-VALUE} if not said."
            })
    private String speed;

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = "" + Speed.DEFAULT_DEPTH,
            description = "For as-fast; ${DEFAULT-VALUE} if not said.")
    private int depth;

    @Option(
            names = "--wrap",
            description = "Requests beyond the device's end go round to its beginning.")
    private boolean isWrapped;

    @Option(
            names = "--scale",
            description = "All offsets are multiplied so that the farthest request fits.")
    private boolean isScaled;

    @Option(
            names = "--trace-device",
            paramLabel = "MAJOR,MINOR",
            description = "Where a blktrace has requests of several devices.")
    private Optional<String> traceDevice;

    @Option(
            names = "--blktrace",
            paramLabel = "NAME",
            description = "Writes what a blktrace of the replay would hold, for blkparse -i NAME.")
    private Optional<Path> blktrace;

    @Option(names = "--json", description = "One JSON object on one line. Times in us.")
    private boolean isJson;

    private final Surroundings surroundings;

    ReplayCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        if (isWrapped && isScaled) {
            throw new Failure("--wrap and --scale exclude each other");
        }
        Speed chosen = Speed.of(speed, depth);
        DeviceConfig config = config();
        RecordedTrace trace = RecordedTrace.read(file, traceDevice.map(TraceDevice::parse));
        ReplayResult result = replay(trace, config, chosen);
        ReplayReport report =
                new ReplayReport(
                        file.toString(),
                        config.name() + " (" + config.drive().profile() + ")",
                        chosen,
                        result,
                        trace.stages(),
                        trace.notes());
        surroundings.out().print(isJson ? Json.render(report.fields()) + '\n' : report.text());
        surroundings.out().flush();
        return 0;
    }

    private DeviceConfig config() {
        Path path =
                conf.orElseGet(() ->
                        surroundings.requireHome("conf/spindle.conf").resolve("conf/spindle.conf"));
        List<DeviceConfig> devices = ConfigLoader.load(path, SettingsOption.parse(set)).devices();
        List<String> names = devices.stream().map(DeviceConfig::name).toList();
        if (device.isEmpty() && devices.size() > 1) {
            throw new Failure(
                    path
                            + " has several devices, say which with --device: "
                            + String.join(", ", names));
        }
        return devices.stream()
                .filter(each -> device.isEmpty() || each.name().equals(device.get()))
                .findFirst()
                .orElseThrow(() ->
                        new Failure(
                                path
                                        + " has no device "
                                        + device.orElseThrow()
                                        + ", there is "
                                        + String.join(", ", names)));
    }

    private ReplayResult replay(RecordedTrace trace, DeviceConfig config, Speed chosen)
            throws IOException {
        DeviceStack stack = DeviceStack.ofNoData(config);
        Target target =
                new Target(
                        stack.top(),
                        stack.queue(),
                        config.sizeBytes(),
                        config.drive().logicalBlockBytes());
        Overhang overhang = isWrapped ? Overhang.WRAP : isScaled ? Overhang.SCALE : Overhang.REFUSE;
        if (blktrace.isEmpty()) {
            return Replay.run(trace.requests(), target, chosen, overhang, Optional.empty());
        }
        try (TraceFile written = TraceFile.create(blktrace.get())) {
            return Replay.run(trace.requests(), target, chosen, overhang, Optional.of(written));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
