package dev.spindle.testbench.simulate;

import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;
import dev.spindle.metrics.LatencyHistogram;
import dev.spindle.packet.PacketCounter;
import dev.spindle.packet.PacketWriter;
import dev.spindle.testbench.host.QueueWatch;
import dev.spindle.testbench.host.SimulatedDevice;
import java.util.EnumMap;
import java.util.Map;

/** The measures as they stand at the end of a simulation. */
final class Reading {
    private final Map<Measure, Double> values = new EnumMap<>(Measure.class);

    private Reading() {}

    static Measures of(
            SimulatedDevice device,
            QueueWatch watch,
            LatencyHistogram latencies,
            Simulation.Effort effort,
            long endNs) {
        Reading reading = new Reading();
        double seconds = endNs / 1e9;
        reading.put(Measure.RATE, seconds == 0 ? 0 : effort.bytes() / 1e6 / seconds);
        reading.put(Measure.SECONDS, seconds);
        reading.put(Measure.REQUESTS, effort.requests());
        reading.put(Measure.SUBMIT, effort.submitSeconds());
        reading.put(Measure.WAIT, seconds - effort.submitSeconds());
        effort.cpuSeconds().ifPresent(cpu -> reading.put(Measure.CPU, cpu));
        reading.latencies(latencies);
        reading.queue(device, watch);
        if (device.machine() instanceof PacketWriter writer) {
            reading.packets(writer);
        }
        return new Measures(reading.values);
    }

    private void put(Measure measure, double value) {
        values.put(measure, value);
    }

    private void put(Measure measure, long count) {
        values.put(measure, (double) count);
    }

    private void latencies(LatencyHistogram latencies) {
        LatencyHistogram.Summary summary = latencies.summary();
        put(Measure.LATENCY_MEAN, summary.meanNs() / 1e6);
        put(Measure.LATENCY_P50, summary.p50Ns() / 1e6);
        put(Measure.LATENCY_P90, latencies.percentileNs(90) / 1e6);
        put(Measure.LATENCY_P99, summary.p99Ns() / 1e6);
        put(Measure.LATENCY_MAX, summary.maxNs() / 1e6);
    }

    private void queue(SimulatedDevice device, QueueWatch watch) {
        Counters entrance = device.machine().counters();
        Counters queue = device.queue().counters();
        put(Measure.DEPTH_MEAN, watch.meanDepth());
        put(Measure.DEPTH_MAX, watch.deepest());
        put(
                Measure.CONGESTED_ON,
                (double) entrance.get(Counter.READ_CONGESTED)
                        + entrance.get(Counter.WRITE_CONGESTED));
        put(Measure.CONGESTED_OFF, watch.congestedOff());
        put(Measure.CONGESTED, watch.congestedNs() / 1e9);
        put(Measure.SLEEPS, entrance.get(Counter.SLEEPS));
        put(Measure.SLEEP, entrance.get(Counter.SLEEP_NS) / 1e9);
        put(Measure.COMMANDS, queue.get(Counter.COMMANDS));
        put(Measure.MERGES, queue.get(Counter.MERGES));
        put(Measure.ERRORS, entrance.get(Counter.ERRORS));
    }

    private void packets(PacketWriter writer) {
        put(Measure.PACKETS, writer.statistics().get(PacketCounter.PACKETS_FINISHED));
        put(Measure.PARTIAL, writer.statistics().get(PacketCounter.PARTIAL));
        put(Measure.GATHERED, writer.statistics().get(PacketCounter.KB_READ_GATHER));
        put(Measure.TURNS, writer.statistics().get(PacketCounter.TURNS));
        put(Measure.PACKET_QUEUE_MAX, writer.longestQueue());
    }
}
