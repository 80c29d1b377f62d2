package dev.spindle.report;

import dev.spindle.plot.HtmlPage;
import dev.spindle.plot.Plot;
import dev.spindle.plot.SvgPlot;
import java.util.ArrayList;
import java.util.List;

/** A report as one page: the text, and for each device three plots. */
public final class ReportPage {
    private static final int POINTS = 200;
    private static final int MOST_SPANS = 300;

    private ReportPage() {}

    public static String of(ProgramReport report) {
        StringBuilder page = new StringBuilder(HtmlPage.head(String.join(" ", report.program())));
        page.append("<pre>").append(HtmlPage.escaped(ReportText.of(report))).append("</pre>\n");
        for (DeviceUse use : report.devices()) {
            page.append("<h2>").append(HtmlPage.escaped(use.device())).append("</h2>\n");
            page.append(SvgPlot.of(latency(use)));
            report.timeline(use.device()).ifPresent(line -> page.append(overTime(line)));
        }
        return page.append(HtmlPage.END).toString();
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
        int step = (line.depth().size() + MOST_SPANS - 1) / MOST_SPANS;
        double stepS = line.spanS() * step;
        List<Double> xs = new ArrayList<>();
        List<Double> depth = new ArrayList<>();
        List<Double> read = new ArrayList<>();
        List<Double> written = new ArrayList<>();
        for (int from = 0; from < line.depth().size(); from += step) {
            int to = Math.min(from + step, line.depth().size());
            xs.add(line.spanS() * to);
            depth.add(
                    line.depth().subList(from, to).stream()
                            .mapToLong(Long::longValue)
                            .average()
                            .orElse(0));
            read.add(sum(line.readBytes().subList(from, to)) / 1e6 / stepS);
            written.add(sum(line.writtenBytes().subList(from, to)) / 1e6 / stepS);
        }
        Plot depths =
                new Plot(
                        "Requests in flight, all processes",
                        "s",
                        "requests",
                        List.of(new Plot.Series("in flight", xs, depth, false)));
        Plot throughput =
                new Plot(
                        "Throughput",
                        "s",
                        "MB/s",
                        List.of(
                                new Plot.Series("read", xs, read, false),
                                new Plot.Series("written", xs, written, false)));
        return SvgPlot.of(depths) + SvgPlot.of(throughput);
    }

    private static double sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
