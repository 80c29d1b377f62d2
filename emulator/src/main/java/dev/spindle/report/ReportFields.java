package dev.spindle.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as the fields of one JSON object: times in seconds, latencies in microseconds. */
public final class ReportFields {
    private static final double[] PERCENTS = {50, 90, 99, 99.9};

    private ReportFields() {}

    public static Map<String, Object> of(ProgramReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("program", report.program());
        fields.put("status", report.status());
        fields.put("ran_s", report.ranS());
        fields.put("active_s", report.activeS());
        fields.put("transport", report.isSharedMemory() ? "shm" : "nbd");
        Map<String, Object> calls = new LinkedHashMap<>();
        for (CallKind kind : CallKind.values()) {
            calls.put(kind.name().toLowerCase(Locale.ROOT), calls(report.calls(kind)));
        }
        fields.put("calls", calls);
        List<Object> devices = new ArrayList<>();
        report.devices().forEach(use -> devices.add(device(report, use)));
        fields.put("devices", devices);
        List<Object> processes = new ArrayList<>();
        report.uses().forEach(use -> processes.add(process(use)));
        fields.put("processes", processes);
        return fields;
    }

    private static Map<String, Object> calls(Calls calls) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("count", calls.count());
        fields.put("items", calls.items());
        fields.put("s", calls.ns() / 1e9);
        fields.put("blocked_s", calls.sleptNs() / 1e9);
        fields.put("longest_s", calls.maxNs() / 1e9);
        return fields;
    }

    private static Map<String, Object> device(ProgramReport report, DeviceUse use) {
        Map<String, Object> fields = use(use);
        fields.put("offenders", report.offenders(use.device()));
        report.daemon(use.device())
                .ifPresent(view -> {
                    Map<String, Object> daemon = new LinkedHashMap<>(view.counters());
                    daemon.put("did_not_honor_congestion", view.offenders());
                    daemon.put("private", view.isPrivate());
                    daemon.put("time_scale", view.timeScale());
                    fields.put("daemon", daemon);
                });
        report.timeline(use.device())
                .ifPresent(line -> {
                    Map<String, Object> time = new LinkedHashMap<>();
                    time.put("span_s", line.spanS());
                    time.put("depth", line.depth());
                    time.put("read_bytes", line.readBytes());
                    time.put("written_bytes", line.writtenBytes());
                    fields.put("timeline", time);
                });
        return fields;
    }

    private static Map<String, Object> process(DeviceUse use) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pid", use.pid());
        fields.put("program", use.program());
        fields.putAll(use(use));
        fields.put("submitted_while_congested", use.congestedSubmissions());
        return fields;
    }

    private static Map<String, Object> use(DeviceUse use) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("device", use.device());
        for (Operation operation : Operation.values()) {
            if (use.of(operation).started() > 0) {
                fields.put(operation.label(), requests(use.of(operation)));
            }
        }
        fields.put("max_depth", use.maxDepth());
        fields.put("read_pool_waits", pool(use.pool().get(0)));
        fields.put("write_pool_waits", pool(use.pool().get(1)));
        return fields;
    }

    private static Map<String, Object> pool(PoolWaits waits) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("count", waits.waits());
        fields.put("s", waits.ns() / 1e9);
        fields.put("longest_s", waits.maxNs() / 1e9);
        return fields;
    }

    private static Map<String, Object> requests(Requests requests) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("started", requests.started());
        fields.put("ended", requests.ended());
        fields.put("errors", requests.errors());
        fields.put("bytes", requests.bytes());
        fields.put("split", requests.split());
        fields.put("pieces", requests.pieces());
        Map<String, Object> latency = new LinkedHashMap<>();
        latency.put("mean", requests.ended() == 0 ? 0 : requests.ns() / 1e3 / requests.ended());
        for (double percent : PERCENTS) {
            String name = percent % 1 == 0 ? "p" + (int) percent : "p" + percent;
            latency.put(name, requests.latencies().percentileNs(percent) / 1e3);
        }
        latency.put("max", requests.latencies().maxNs() / 1e3);
        fields.put("latency_us", latency);
        return fields;
    }
}
