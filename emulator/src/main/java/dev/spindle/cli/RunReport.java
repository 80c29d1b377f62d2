package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.Json;
import dev.spindle.control.RefusedException;
import dev.spindle.daemon.LiveDaemon;
import dev.spindle.report.DaemonView;
import dev.spindle.report.ProgramReport;
import dev.spindle.report.ReportFields;
import dev.spindle.report.ReportFile;
import dev.spindle.report.ReportPage;
import dev.spindle.report.ReportText;
import dev.spindle.shm.ShimMap;
import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the program of one run does, from two sides: counted by the shim in a file that its
 * processes share, and by the daemon, which is asked before and after.
 */
final class RunReport implements AutoCloseable {
    private final LiveDaemon daemon;
    private final ShimMap map;
    private final ReportFile file;
    private final Map<String, ControlAnswer> before;
    private final long startedNs = DeviceClock.monotonicNs();

    private RunReport(
            LiveDaemon daemon, ShimMap map, ReportFile file, Map<String, ControlAnswer> before) {
        this.daemon = daemon;
        this.map = map;
        this.file = file;
        this.before = before;
    }

    /** Before the program starts. */
    static RunReport begin(LiveDaemon daemon, ShimMap map, Path at)
            throws IOException, RefusedException {
        Map<String, ControlAnswer> before = stat(daemon, map);
        return new RunReport(daemon, map, ReportFile.create(at), before);
    }

    /** For the program's environment. */
    String path() {
        return file.path().toString();
    }

    /** When the program has ended: prints it, and writes the file that was asked for. */
    void show(
            List<String> program,
            int status,
            ReportOption.Asked asked,
            boolean isJson,
            Surroundings surroundings)
            throws IOException {
        ProgramReport report = report(program, status);
        surroundings
                .err()
                .print(
                        isJson
                                ? Json.render(ReportFields.of(report)) + '\n'
                                : ReportText.of(report));
        surroundings.err().flush();
        Optional<Path> page = asked.file();
        if (page.isPresent()) {
            Files.writeString(
                    page.get(),
                    asked.isJson()
                            ? Json.renderFormatted(ReportFields.of(report)) + '\n'
                            : ReportPage.of(report));
        }
    }

    private ProgramReport report(List<String> program, int status) {
        boolean isSharedMemory =
                map.lines().stream().anyMatch(line -> line.shmSocket().isPresent());
        return new ProgramReport(
                program,
                status,
                (DeviceClock.monotonicNs() - startedNs) / 1e9,
                file.activeS(),
                isSharedMemory,
                file.calls(),
                file.uses(),
                file.timelines(),
                views());
    }

    /** A daemon that has ended with its program, or before, tells nothing. */
    private List<DaemonView> views() {
        Map<String, ControlAnswer> after;
        try {
            after = stat(daemon, map);
        } catch (IOException | RefusedException _) {
            return List.of();
        }
        List<DaemonView> views = new ArrayList<>();
        after.forEach((name, now) -> {
            ControlAnswer then = before.getOrDefault(name, new ControlAnswer(Map.of()));
            views.add(
                    new DaemonView(
                            name,
                            counters(now, then),
                            difference(offenders(now), offenders(then)),
                            daemon.isPrivate(),
                            now.number("time_scale")));
        });
        return views;
    }

    /** A burner's commands are counted by the queue before it, all else by the packet writer. */
    private static Map<String, Long> counters(ControlAnswer now, ControlAnswer then) {
        Map<String, Long> counters =
                new LinkedHashMap<>(difference(now.object("counters"), then.object("counters")));
        Map<String, Long> drive =
                difference(
                        now.object("packet").object("drive"),
                        then.object("packet").object("drive"));
        for (String label : new String[] {"commands", "merges"}) {
            counters.merge(label, drive.getOrDefault(label, 0L), Long::sum);
        }
        return counters;
    }

    private static ControlAnswer offenders(ControlAnswer device) {
        return device.object("packet").object("did_not_honor_congestion");
    }

    private static Map<String, Long> difference(ControlAnswer now, ControlAnswer then) {
        Map<String, Long> found = new LinkedHashMap<>();
        now.fields()
                .keySet()
                .forEach(name -> {
                    long more = now.whole(name) - then.whole(name);
                    found.put(name, Math.max(0, more));
                });
        return found;
    }

    private static Map<String, ControlAnswer> stat(LiveDaemon daemon, ShimMap map)
            throws IOException, RefusedException {
        ControlClient client = new ControlClient(daemon.controlSocket());
        Map<String, ControlAnswer> devices = new LinkedHashMap<>();
        ControlAnswer answer = client.ask(new ControlRequest.Stat(Optional.empty()));
        List<String> seen = map.lines().stream().map(ShimMap.Line::name).toList();
        for (ControlAnswer device : answer.objects("devices")) {
            if (seen.contains(device.text("name"))) {
                devices.put(device.text("name"), device);
            }
        }
        return devices;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
