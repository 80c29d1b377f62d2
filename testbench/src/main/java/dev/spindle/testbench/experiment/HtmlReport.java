package dev.spindle.testbench.experiment;

import dev.spindle.plot.Figures;
import dev.spindle.plot.HtmlPage;
import dev.spindle.plot.SvgPlot;
import java.util.List;
import java.util.Locale;

/** The scorecard as one page with its plots, no scripts, nothing loaded from elsewhere. */
public final class HtmlReport {
    private HtmlReport() {}

    static String of(List<Outcome> outcomes) {
        StringBuilder page =
                new StringBuilder(HtmlPage.head("Four threads, replayed in virtual time"));
        page.append("<table><tr><th>thread</th><th>row</th><th>thread's</th><th>ours</th>");
        page.append("<th>error</th><th>gate</th><th>kind</th></tr>\n");
        outcomes.forEach(outcome -> outcome.rows().forEach(row -> page.append(line(row))));
        page.append("</table>\n<h2>A cause taken away</h2>\n<table><tr><th>thread</th>");
        page.append("<th>without</th><th>effect</th><th>before</th><th>after</th></tr>\n");
        outcomes.forEach(outcome -> outcome.ablations().forEach(each -> page.append(line(each))));
        page.append("</table>\n");
        outcomes.forEach(outcome -> outcome.plots().forEach(p -> page.append(SvgPlot.of(p))));
        return page.append(HtmlPage.END).toString();
    }

    private static String line(Row row) {
        return "<tr%s><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                .formatted(
                        row.passes() ? "" : " class=\"fails\"",
                        row.experiment(),
                        HtmlPage.escaped(row.name()),
                        row.thread().isPresent() ? Figures.text(row.thread().getAsDouble()) : "",
                        Figures.text(row.ours()),
                        row.error().isPresent()
                                ? "%+.1f %%".formatted(100 * row.error().getAsDouble())
                                : "",
                        HtmlPage.escaped(row.gate()),
                        row.kind().name().toLowerCase(Locale.ROOT));
    }

    private static String line(Ablation ablation) {
        return "<tr%s><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                .formatted(
                        ablation.isGone() ? "" : " class=\"fails\"",
                        ablation.experiment(),
                        HtmlPage.escaped(ablation.without()),
                        HtmlPage.escaped(ablation.effect()),
                        Figures.text(ablation.before()),
                        Figures.text(ablation.after()));
    }
}
