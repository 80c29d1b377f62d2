package dev.spindle.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run came to.
 *
 * @param program as it was called
 * @param status its exit status, as a shell has it
 * @param ranS the program's life
 * @param activeS from its first request to the end of its last
 * @param isSharedMemory how requests reached the daemon; over NBD otherwise
 * @param daemon of each device that the program could see
 */
public record ProgramReport(
        List<String> program,
        int status,
        double ranS,
        double activeS,
        boolean isSharedMemory,
        List<ProcessCalls> calls,
        List<DeviceUse> uses,
        List<Timeline> timelines,
        List<DaemonView> daemon) {
    public ProgramReport {
        program = List.copyOf(program);
        calls = List.copyOf(calls);
        uses = List.copyOf(uses);
        timelines = List.copyOf(timelines);
        daemon = List.copyOf(daemon);
    }

    /** Each device that was used, all processes together. */
    List<DeviceUse> devices() {
        Map<String, DeviceUse> sums = new LinkedHashMap<>();
        for (DeviceUse use : uses) {
            sums.merge(use.device(), DeviceUse.none(use.device()).plus(use), DeviceUse::plus);
        }
        return new ArrayList<>(sums.values());
    }

    /** All calls of one kind. */
    Calls calls(CallKind kind) {
        return calls.stream().map(each -> each.of(kind)).reduce(Calls.NONE, Calls::plus);
    }

    /** Of a process or program: how often it submitted while the device was congested. */
    Map<String, Long> offenders(String device) {
        Map<String, Long> found = new LinkedHashMap<>();
        for (DeviceUse use : uses) {
            if (use.device().equals(device) && use.congestedSubmissions() > 0) {
                String who =
                        use.pid() == 0 ? use.program() : use.program() + " (" + use.pid() + ")";
                found.merge(who, use.congestedSubmissions(), Long::sum);
            }
        }
        return found;
    }

    Optional<DaemonView> daemon(String device) {
        return daemon.stream().filter(view -> view.device().equals(device)).findFirst();
    }

    Optional<Timeline> timeline(String device) {
        return timelines.stream().filter(line -> line.device().equals(device)).findFirst();
    }
}
