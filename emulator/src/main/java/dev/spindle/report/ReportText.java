package dev.spindle.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A report as lines for people. */
public final class ReportText {
    private static final double[] PERCENTS = {50, 90, 99, 99.9};

    /** What the shim and the daemon cannot tell, beside the figures it concerns. */
    static final String NBD_LIMITS =
            "over NBD each process has a pool of its own, so its waits are for that one; waits in the"
                    + " daemon's queue are seen as latency alone, and a request has ended when the"
                    + " process has its reply";

    private final ProgramReport report;
    private final StringBuilder text = new StringBuilder();

    private ReportText(ProgramReport report) {
        this.report = report;
    }

    public static String of(ProgramReport report) {
        return new ReportText(report).all();
    }

    private String all() {
        line(
                "spindle: %s: ran %.3f s, status %d, over %s"
                        .formatted(
                                String.join(" ", report.program()),
                                report.ranS(),
                                report.status(),
                                report.isSharedMemory() ? "shared memory" : "NBD"));
        calls();
        if (report.uses().isEmpty()) {
            line("  no request to any device");
        }
        report.devices().forEach(this::device);
        if (!report.isSharedMemory() && !report.uses().isEmpty()) {
            line("  note         %s".formatted(NBD_LIMITS));
        }
        return text.toString();
    }

    private void line(String words) {
        text.append(words).append('\n');
    }

    private void calls() {
        for (CallKind kind : CallKind.values()) {
            Calls calls = report.calls(kind);
            if (calls.count() > 0) {
                line(
                        "  %-13s%d calls, %d %s, %.3f s, longest %.3f s%s"
                                .formatted(
                                        kind.label(),
                                        calls.count(),
                                        calls.items(),
                                        kind.items(),
                                        seconds(calls.ns()),
                                        seconds(calls.maxNs()),
                                        calls.sleptNs() == 0
                                                ? ""
                                                : "; %.3f s of it blocked for want of a free request"
                                                        .formatted(seconds(calls.sleptNs()))));
            }
        }
    }

    private void device(DeviceUse use) {
        line(
                "%s, %.3f s from the first request to the end of the last"
                        .formatted(use.device(), report.activeS()));
        line(
                "  %-8s %9s %10s %9s %7s %7s %8s %9s %9s %9s %9s %9s %9s"
                        .formatted(
                                "",
                                "requests",
                                "MB",
                                "MB/s",
                                "errors",
                                "split",
                                "pieces",
                                "mean ms",
                                "p50",
                                "p90",
                                "p99",
                                "p99.9",
                                "max"));
        for (Operation operation : Operation.values()) {
            Requests requests = use.of(operation);
            if (requests.started() > 0) {
                requests(operation, requests);
            }
        }
        depth(use);
        pool(use);
        congestion(use);
        report.daemon(use.device()).ifPresent(this::drive);
    }

    private void requests(Operation operation, Requests requests) {
        StringBuilder percentiles = new StringBuilder();
        for (double percent : PERCENTS) {
            percentiles.append(ms(requests.latencies().percentileNs(percent)));
        }
        line(
                "  %-8s %9d %10.2f %9.2f %7d %7d %8d%s%s%s"
                        .formatted(
                                operation.label(),
                                requests.ended(),
                                requests.bytes() / 1e6,
                                report.activeS() > 0
                                        ? requests.bytes() / 1e6 / report.activeS()
                                        : 0,
                                requests.errors(),
                                requests.split(),
                                requests.pieces(),
                                ms(requests.ended() == 0 ? 0 : requests.ns() / requests.ended()),
                                percentiles,
                                ms(requests.latencies().maxNs())));
        if (requests.started() > requests.ended()) {
            line(
                    "  %-8s %9d more were in flight when their process ended"
                            .formatted("", requests.started() - requests.ended()));
        }
    }

    private static String ms(long ns) {
        return " %9.3f".formatted(ns / 1e6);
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }

    private void depth(DeviceUse use) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < use.depths().size(); i++) {
            if (use.depths().get(i) > 0) {
                long from = 1L << i;
                long to = (1L << (i + 1)) - 1;
                parts.add((i == 0 ? "1" : from + "-" + to) + ": " + use.depths().get(i));
            }
        }
        line(
                "  depth        at most %d in flight in a process; submissions by depth %s"
                        .formatted(use.maxDepth(), String.join(", ", parts)));
    }

    private void pool(DeviceUse use) {
        for (int i = 0; i < 2; i++) {
            PoolWaits waits = use.pool().get(i);
            if (waits.waits() > 0) {
                line(
                        "  pool         %d waits for a free request to %s, %.3f s, longest %.3f s"
                                .formatted(
                                        waits.waits(),
                                        i == 0 ? "read" : "write",
                                        seconds(waits.ns()),
                                        seconds(waits.maxNs())));
            }
        }
    }

    private void congestion(DeviceUse use) {
        report.daemon(use.device())
                .ifPresent(view ->
                        line(
                                "  congestion   reads: set %d times, for %.3f s; writes: set %d times, for %.3f s%s"
                                        .formatted(
                                                view.counter("read_congested"),
                                                seconds(view.counter("read_congested_ns")),
                                                view.counter("write_congested"),
                                                seconds(view.counter("write_congested_ns")),
                                                view.timeScale() == 1
                                                        ? ""
                                                        : " of the device's time")));
        report.offenders(use.device())
                .forEach((who, times) ->
                        line(
                                "               %s submitted %d times while it was set"
                                        .formatted(who, times)));
    }

    private void drive(DaemonView view) {
        line(
                "  drive        %d commands, %d pieces joined to one that waited; submitters slept %d times, %.3f s, in the daemon%s"
                        .formatted(
                                view.counter("commands"),
                                view.counter("merges"),
                                view.counter("sleeps"),
                                seconds(view.counter("sleep_ns")),
                                view.isPrivate() ? "" : "; other clients of the daemon included"));
        for (Map.Entry<String, Long> each : view.offenders().entrySet()) {
            line(
                    "               %s didn't honor the packet writer's congestion %d times"
                            .formatted(each.getKey(), each.getValue()));
        }
    }
}
