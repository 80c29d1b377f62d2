package dev.spindle.testbench.experiment;

import dev.spindle.control.Json;
import dev.spindle.plot.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Outcomes as text for people and as JSON. */
public final class Scorecard {
    private Scorecard() {}

    static String text(List<Outcome> outcomes) {
        StringBuilder text = new StringBuilder();
        text.append(
                "%-4s %-40s %10s %10s %7s  %-24s %s\n"
                        .formatted("", "row", "thread", "ours", "error", "gate", ""));
        int failed = 0;
        int gated = 0;
        int open = 0;
        for (Outcome outcome : outcomes) {
            for (Row row : outcome.rows()) {
                gated += row.isOpen() ? 0 : 1;
                open += row.isOpen() ? 1 : 0;
                failed += row.passes() ? 0 : 1;
                text.append(line(row));
            }
        }
        for (Outcome outcome : outcomes) {
            for (Ablation ablation : outcome.ablations()) {
                text.append(line(ablation));
            }
        }
        text.append("%d of %d rows pass".formatted(gated - failed, gated));
        return text.append(open == 0 ? "\n" : ", %d more are open\n".formatted(open)).toString();
    }

    private static String line(Row row) {
        return "%-4s %-40s %10s %10s %7s  %-24s %s%s\n"
                .formatted(
                        row.experiment(),
                        row.name(),
                        row.thread().isPresent() ? Figures.text(row.thread().getAsDouble()) : "-",
                        Figures.text(row.ours()),
                        row.error().isPresent()
                                ? "%+.1f%%".formatted(100 * row.error().getAsDouble())
                                : "-",
                        row.gate(),
                        row.kind().name().toLowerCase(Locale.ROOT),
                        row.passes() ? "" : "  FAILS");
    }

    private static String line(Ablation ablation) {
        return "%-4s without %s: %s %s -> %s%s\n"
                .formatted(
                        ablation.experiment(),
                        ablation.without(),
                        ablation.effect(),
                        Figures.text(ablation.before()),
                        Figures.text(ablation.after()),
                        ablation.isGone() ? ", gone" : "  REMAINS");
    }

    static String json(List<Outcome> outcomes, int seeds) {
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Map<String, Object>> ablations = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            outcome.rows().forEach(row -> rows.add(fields(row)));
            outcome.ablations().forEach(ablation -> ablations.add(fields(ablation)));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("rows", rows);
        all.put("ablations", ablations);
        all.put("layout_seeds", seeds);
        return Json.render(all);
    }

    /** "seed" is the thread's figure, the seed of the experiment. */
    private static Map<String, Object> fields(Row row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("experiment", row.experiment());
        fields.put("row", row.name());
        fields.put("seed", orNull(row.thread()));
        fields.put("ours", row.ours());
        fields.put("error", orNull(row.error()));
        fields.put("gate", row.gate());
        fields.put("kind", row.kind().name().toLowerCase(Locale.ROOT));
        fields.put("pass", row.passes());
        return fields;
    }

    @SuppressWarnings("NullAway") // JSON has a null of its own
    private static Object orNull(OptionalDouble number) {
        return number.isPresent() ? (Object) number.getAsDouble() : null;
    }

    private static Map<String, Object> fields(Ablation ablation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("experiment", ablation.experiment());
        fields.put("without", ablation.without());
        fields.put("effect", ablation.effect());
        fields.put("before", ablation.before());
        fields.put("after", ablation.after());
        fields.put("gone", ablation.isGone());
        return fields;
    }
}
