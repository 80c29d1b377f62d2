package dev.spindle.testbench.simulate;

import dev.spindle.control.Json;
import dev.spindle.plot.Figures;
import dev.spindle.plot.HtmlPage;
import dev.spindle.plot.Plot;
import dev.spindle.plot.SvgPlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The runs of one order as text, JSON and a page with plots.
 *
 * @param title what ran on what
 * @param seeds medians are over so many
 * @param sweeps at most two; the second varies fastest
 * @param runs a row for each combination, in that order
 */
record SimulationReport(String title, int seeds, List<Sweep> sweeps, List<Run> runs) {
    private static final List<Measure> COLUMNS =
            List.of(
                    Measure.RATE,
                    Measure.SECONDS,
                    Measure.LATENCY_P50,
                    Measure.LATENCY_P99,
                    Measure.SUBMIT,
                    Measure.WAIT,
                    Measure.DEPTH_MEAN,
                    Measure.CONGESTED_ON,
                    Measure.CONGESTED,
                    Measure.SLEEPS,
                    Measure.MERGES,
                    Measure.ERRORS,
                    Measure.PACKETS,
                    Measure.PARTIAL,
                    Measure.GATHERED,
                    Measure.TURNS);
    private static final List<Measure> PLOTTED =
            List.of(
                    Measure.RATE,
                    Measure.SECONDS,
                    Measure.LATENCY_P99,
                    Measure.SUBMIT,
                    Measure.DEPTH_MEAN,
                    Measure.CONGESTED,
                    Measure.PARTIAL,
                    Measure.TURNS);

    /** One combination of the sweeps' values, and what it came to. */
    record Run(List<String> values, Measures measures) {}

    String text() {
        String heading = title + ", seeds: " + seeds + "\n";
        return heading + (sweeps.isEmpty() ? list() : table());
    }

    private String list() {
        StringBuilder text = new StringBuilder();
        runs.getFirst()
                .measures
                .values()
                .forEach((measure, value) ->
                        text.append(
                                "%-18s %10s %-5s %s\n"
                                        .formatted(
                                                measure.label(),
                                                number(value),
                                                measure.unit(),
                                                measure.sentence())));
        return text.toString();
    }

    private List<Measure> columns() {
        return COLUMNS.stream()
                .filter(each -> runs.getFirst().measures.values().containsKey(each))
                .toList();
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(sweeps.stream().map(Sweep::key).toList());
        columns().forEach(each -> head.add(each.label()));
        rows.add(head);
        for (Run run : runs) {
            List<String> row = new ArrayList<>(run.values);
            columns().forEach(each -> row.add(number(run.measures.of(each))));
            rows.add(row);
        }
        return rows;
    }

    private String table() {
        List<List<String>> rows = rows();
        int[] widths = new int[rows.getFirst().size()];
        rows.forEach(row -> Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length())));
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                text.append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
                text.append(i + 1 < widths.length ? "  " : "\n");
            }
        }
        return text.toString();
    }

    /** Whole numbers without decimals. */
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? "%.0f".formatted(value)
                : Figures.text(value);
    }

    String json() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Run run : runs) {
            Map<String, Object> settings = new LinkedHashMap<>();
            for (int i = 0; i < sweeps.size(); i++) {
                settings.put(sweeps.get(i).key(), run.values.get(i));
            }
            Map<String, Object> measures = new LinkedHashMap<>();
            run.measures.values().forEach((each, value) -> measures.put(each.label(), value));
            all.add(Map.of("settings", settings, "measures", measures));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("title", title);
        fields.put("seeds", seeds);
        fields.put("runs", all);
        return Json.render(fields);
    }

    String html() {
        StringBuilder page = new StringBuilder(HtmlPage.head(title));
        page.append("<p>Medians over seeds: ").append(seeds).append("</p>\n<table>\n");
        String cell = "th";
        for (List<String> row : rows()) {
            page.append("<tr>");
            for (String text : row) {
                page.append("<%s>%s</%s>".formatted(cell, HtmlPage.escaped(text), cell));
            }
            page.append("</tr>\n");
            cell = "td";
        }
        page.append("</table>\n");
        plots().forEach(plot -> page.append(SvgPlot.of(plot)));
        return page.append(HtmlPage.END).toString();
    }

    private List<Plot> plots() {
        if (sweeps.isEmpty()) {
            return List.of(percentiles());
        }
        return PLOTTED.stream().filter(columns()::contains).map(this::plot).toList();
    }

    private Plot percentiles() {
        Measures only = runs.getFirst().measures;
        List<Double> ys =
                List.of(
                        only.of(Measure.LATENCY_P50),
                        only.of(Measure.LATENCY_P90),
                        only.of(Measure.LATENCY_P99),
                        only.of(Measure.LATENCY_MAX));
        var line = new Plot.Series("latency", List.of(50.0, 90.0, 99.0, 100.0), ys, false);
        return new Plot("Latency of a request", "% took no longer", "ms", List.of(line));
    }

    /** Over the first sweep; a line for each value of the second. */
    private Plot plot(Measure measure) {
        int lines = sweeps.size() == 1 ? 1 : sweeps.get(1).values().size();
        List<Plot.Series> series = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            List<Double> ys = new ArrayList<>();
            for (int i = line; i < runs.size(); i += lines) {
                ys.add(runs.get(i).measures.of(measure));
            }
            String name =
                    sweeps.size() == 1
                            ? measure.label()
                            : sweeps.get(1).key() + "=" + sweeps.get(1).values().get(line);
            series.add(new Plot.Series(name, sweeps.getFirst().positions(), ys, false));
        }
        String unit = measure.unit().isEmpty() ? "count" : measure.unit();
        return new Plot(measure.label(), sweeps.getFirst().axis(), unit, series);
    }
}
