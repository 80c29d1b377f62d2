package dev.spindle.control;

import dev.spindle.block.CongestionMarks;
import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;
import dev.spindle.metrics.LatencyHistogram;
import dev.spindle.queue.QueueLatencies;
import dev.spindle.queue.QueueState;
import dev.spindle.queue.RequestQueue;
import java.util.LinkedHashMap;
import java.util.Map;

/** A queue's figures under the names that stat shows. */
final class StatFields {
    private static final double NS_PER_US = 1000.0;

    private StatFields() {}

    static Map<String, Object> state(RequestQueue queue) {
        QueueState state = queue.state();
        CongestionMarks marks = queue.settings().marks();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("read_requests", state.readRequests());
        fields.put("write_requests", state.writeRequests());
        fields.put("readers_asleep", state.readersAsleep());
        fields.put("writers_asleep", state.writersAsleep());
        fields.put("read_congested", state.isReadCongested());
        fields.put("write_congested", state.isWriteCongested());
        fields.put("waiting_commands", state.waitingCommands());
        fields.put("congestion_on", marks.on());
        fields.put("congestion_off", marks.off());
        return fields;
    }

    static Map<String, Object> counters(Counters counters) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            fields.put(counter.label(), counters.get(counter));
        }
        return fields;
    }

    static Map<String, Object> latencies(QueueLatencies latencies) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("read_wait", summary(latencies.readWait()));
        fields.put("read_total", summary(latencies.readTotal()));
        fields.put("write_wait", summary(latencies.writeWait()));
        fields.put("write_total", summary(latencies.writeTotal()));
        fields.put("lateness", summary(latencies.lateness()));
        return fields;
    }

    private static Map<String, Object> summary(LatencyHistogram histogram) {
        LatencyHistogram.Summary summary = histogram.summary();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("count", summary.count());
        fields.put("mean", summary.meanNs() / NS_PER_US);
        fields.put("p50", summary.p50Ns() / NS_PER_US);
        fields.put("p99", summary.p99Ns() / NS_PER_US);
        fields.put("max", summary.maxNs() / NS_PER_US);
        return fields;
    }
}
