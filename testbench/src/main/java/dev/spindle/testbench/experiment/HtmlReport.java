package dev.spindle.testbench.experiment;

import java.util.List;
import java.util.Locale;

/** The scorecard as one page with its plots, no scripts, nothing loaded from elsewhere. */
public final class HtmlReport {
    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Spindle: @TITLE@</title>
            <style>
            body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
            table { border-collapse: collapse; width: 100% }
            td, th { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd }
            td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left }
            tr.fails td { background: #fdd }
            svg { width: 100%; height: auto; margin: 1.5em 0 }
            </style></head><body>
            <h1>@TITLE@</h1>
            """;

    private HtmlReport() {}

    /** How every page begins. */
    public static String head(String title) {
        return HEAD.replace("@TITLE@", escaped(title));
    }

    static String of(List<Outcome> outcomes) {
        StringBuilder page = new StringBuilder(head("Four threads, replayed in virtual time"));
        page.append("<table><tr><th>thread</th><th>row</th><th>thread's</th><th>ours</th>");
        page.append("<th>error</th><th>gate</th><th>kind</th></tr>\n");
        outcomes.forEach(outcome -> outcome.rows().forEach(row -> page.append(line(row))));
        page.append("</table>\n<h2>A cause taken away</h2>\n<table><tr><th>thread</th>");
        page.append("<th>without</th><th>effect</th><th>before</th><th>after</th></tr>\n");
        outcomes.forEach(outcome -> outcome.ablations().forEach(each -> page.append(line(each))));
        page.append("</table>\n");
        outcomes.forEach(outcome -> outcome.plots().forEach(p -> page.append(SvgPlot.of(p))));
        return page.append("</body></html>\n").toString();
    }

    private static String line(Row row) {
        return "<tr%s><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                .formatted(
                        row.passes() ? "" : " class=\"fails\"",
                        row.experiment(),
                        escaped(row.name()),
                        row.thread().isPresent()
                                ? Scorecard.number(row.thread().getAsDouble())
                                : "",
                        Scorecard.number(row.ours()),
                        row.error().isPresent()
                                ? "%+.1f %%".formatted(100 * row.error().getAsDouble())
                                : "",
                        escaped(row.gate()),
                        row.kind().name().toLowerCase(Locale.ROOT));
    }

    private static String line(Ablation ablation) {
        return "<tr%s><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                .formatted(
                        ablation.isGone() ? "" : " class=\"fails\"",
                        ablation.experiment(),
                        escaped(ablation.without()),
                        escaped(ablation.effect()),
                        Scorecard.number(ablation.before()),
                        Scorecard.number(ablation.after()));
    }

    public static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
