package dev.spindle.report;

import dev.spindle.plot.Figures;
import dev.spindle.plot.HtmlPage;
import dev.spindle.plot.Plot;
import dev.spindle.plot.SvgPlot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A report as one page: the text, and for each device three plots. */
public final class ReportPage {
    private static final int POINTS = 200;
    private static final int MOST_SPANS = 300;

    /** Of the run, one behind the other. */
    private static final int WINDOWS = 20;

    private ReportPage() {}

    public static String of(ProgramReport report) {
        StringBuilder page = new StringBuilder(HtmlPage.head(name(report)));
        page.append("<pre>").append(HtmlPage.escaped(ReportText.of(report))).append("</pre>\n");
        for (DeviceUse use : report.devices()) {
            page.append("<h2>").append(HtmlPage.escaped(use.device())).append("</h2>\n");
            page.append(SvgPlot.of(latency(use)));
            report.timeline(use.device()).ifPresent(line -> page.append(overTime(line)));
        }
        return page.append(HtmlPage.END).toString();
    }

    /** The whole command stands in the text, and may be long. */
    private static String name(ProgramReport report) {
        Path file = Path.of(report.program().getFirst()).getFileName();
        return file == null ? report.program().getFirst() : file.toString();
    }

    private static Plot latency(DeviceUse use) {
        List<Plot.Series> series = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            Requests requests = use.of(operation);
            if (requests.ended() > 0) {
                series.add(quantiles(operation.label(), requests.latencies()));
            }
        }
        return new Plot("Latency of a request", "% took no longer", "ms", series);
    }

    private static Plot.Series quantiles(String name, Latencies latencies) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (int i = 1; i <= POINTS; i++) {
            double percent = 100.0 * i / POINTS;
            xs.add(percent);
            ys.add(latencies.percentileNs(percent) / 1e6);
        }
        return new Plot.Series(name, xs, ys, false);
    }

    private static String overTime(Timeline line) {
        return SvgPlot.of(depth(line)) + SvgPlot.of(throughput(line));
    }

    private static Plot depth(Timeline line) {
        int step = (line.depth().size() + MOST_SPANS - 1) / MOST_SPANS;
        List<Double> xs = new ArrayList<>();
        List<Double> depth = new ArrayList<>();
        for (int from = 0; from < line.depth().size(); from += step) {
            int to = Math.min(from + step, line.depth().size());
            xs.add(line.spanS() * to);
            depth.add(
                    line.depth().subList(from, to).stream()
                            .mapToLong(Long::longValue)
                            .average()
                            .orElse(0));
        }
        return new Plot(
                "Requests in flight, all processes",
                "s",
                "requests",
                List.of(new Plot.Series("in flight", xs, depth, false)));
    }

    /**
     * All of a request counts when it ends, so a span in which two or three end says little. Each
     * point is the mean over a window that ends there, a part of the run long.
     */
    private static Plot throughput(Timeline line) {
        int spans = line.readBytes().size();
        int window = Math.max(1, spans / WINDOWS);
        int step = (spans + MOST_SPANS - 1) / MOST_SPANS;
        List<Plot.Series> series = new ArrayList<>();
        add(series, "read", line.readBytes(), line.spanS(), window, step);
        add(series, "written", line.writtenBytes(), line.spanS(), window, step);
        String over = Figures.text(window * line.spanS());
        return new Plot("Throughput, mean over the last " + over + " s", "s", "MB/s", series);
    }

    private static void add(
            List<Plot.Series> series,
            String name,
            List<Long> bytes,
            double spanS,
            int window,
            int step) {
        if (sum(bytes) == 0) {
            return;
        }
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (int to = Math.min(step, bytes.size()); to <= bytes.size(); to += step) {
            int from = Math.max(0, to - window);
            xs.add(spanS * to);
            ys.add(sum(bytes.subList(from, to)) / 1e6 / (spanS * (to - from)));
        }
        series.add(new Plot.Series(name, xs, ys, false));
    }

    private static double sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
