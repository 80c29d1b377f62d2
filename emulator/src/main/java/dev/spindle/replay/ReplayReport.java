package dev.spindle.replay;

import dev.spindle.block.BlockOperation;
import dev.spindle.trace.StageTimes;
import dev.spindle.trace.Times;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A replay in words and as fields for JSON.
 *
 * @param trace what was replayed
 * @param device on what
 * @param recorded where the time went when the trace was made, if it says
 * @param notes about the trace
 */
public record ReplayReport(
        String trace,
        String device,
        Speed speed,
        ReplayResult result,
        Optional<StageTimes> recorded,
        List<String> notes) {
    private static final double NS_PER_US = 1e3;

    /** Times in microseconds, rates in bytes of 10^6. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trace", trace);
        fields.put("device", device);
        fields.put("speed", speed.text());
        fields.put("requests", result.all().count());
        fields.put("errors", result.errors());
        fields.put("bytes", result.bytes());
        fields.put("duration_s", result.durationNs() / 1e9);
        fields.put("mb_per_s", result.megabytesPerSecond());
        fields.put("requests_per_s", result.requestsPerSecond());
        Map<String, Object> latencies = new LinkedHashMap<>();
        latencies.put("all", fields(result.all()));
        result.byOperation()
                .forEach((operation, times) -> latencies.put(name(operation), fields(times)));
        fields.put("latency_us", latencies);
        Map<String, Object> stages = new LinkedHashMap<>();
        stages.put("model", fields(result.stages()));
        recorded.ifPresent(times -> stages.put("recorded", fields(times)));
        fields.put("stages_us", stages);
        fields.put("notes", notes);
        return fields;
    }

    private static Map<String, Object> fields(StageTimes times) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("q2c", fields(times.q2c()));
        fields.put("d2c", fields(times.d2c()));
        return fields;
    }

    private static Map<String, Object> fields(Times times) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("count", times.count());
        fields.put("mean", times.meanNs() / NS_PER_US);
        fields.put("p50", times.percentileNs(50) / NS_PER_US);
        fields.put("p90", times.percentileNs(90) / NS_PER_US);
        fields.put("p95", times.percentileNs(95) / NS_PER_US);
        fields.put("p99", times.percentileNs(99) / NS_PER_US);
        fields.put("p99_9", times.percentileNs(99.9) / NS_PER_US);
        fields.put("max", times.maxNs() / NS_PER_US);
        return fields;
    }

    private static String name(BlockOperation operation) {
        return operation.name().toLowerCase(Locale.ROOT);
    }

    /** A table for people, times in milliseconds. */
    public String text() {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append("note: ").append(note).append('\n'));
        add(text, "%s on %s, %s%n", trace, device, speed.text());
        add(
                text,
                "%d requests, %d errors, %.3f s, %.2f MB/s, %.1f requests/s%n%n",
                result.all().count(),
                result.errors(),
                result.durationNs() / 1e9,
                result.megabytesPerSecond(),
                result.requestsPerSecond());
        add(
                text,
                "%-16s %9s %9s %9s %9s %9s %9s %9s%n",
                "ms",
                "count",
                "mean",
                "p50",
                "p90",
                "p99",
                "p99.9",
                "max");
        row(text, "all", result.all());
        result.byOperation().forEach((operation, times) -> row(text, name(operation), times));
        row(text, "Q2C, model", result.stages().q2c());
        recorded.ifPresent(times -> row(text, "Q2C, recorded", times.q2c()));
        row(text, "D2C, model", result.stages().d2c());
        recorded.ifPresent(times -> row(text, "D2C, recorded", times.d2c()));
        return text.toString();
    }

    private static void row(StringBuilder text, String name, Times times) {
        add(
                text,
                "%-16s %9d %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f%n",
                name,
                times.count(),
                times.meanNs() / 1e6,
                times.percentileNs(50) / 1e6,
                times.percentileNs(90) / 1e6,
                times.percentileNs(99) / 1e6,
                times.percentileNs(99.9) / 1e6,
                times.maxNs() / 1e6);
    }

    private static void add(StringBuilder text, String pattern, Object... values) {
        text.append(String.format(Locale.ROOT, pattern.replace("%n", "\n"), values));
    }
}
