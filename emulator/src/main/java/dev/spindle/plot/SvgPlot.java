package dev.spindle.plot;

import java.util.List;

/**
 * A plot as SVG: axes from zero with round marks, lines, points for what was measured, a legend at
 * their side.
 *
 * <pre>
 *   title
 *   y label
 *   mark |                          | # series
 *   mark |                          | # series
 *        +--------------------------+
 *        mark  mark  mark  x label
 * </pre>
 */
public final class SvgPlot {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 340;
    private static final int LEFT = 64;
    private static final int RIGHT = 200;
    private static final int TOP = 48;
    private static final int BOTTOM = 46;
    private static final int LEGEND_LINE = 18;
    private static final int NAME_CHARACTERS = 24;

    /** Up to so many points of a line are shown: between them it is a guess. */
    private static final int SHOWN_POINTS = 40;

    private static final List<String> COLOURS =
            List.of(
                    "#1667b0", "#d2691e", "#2e8b57", "#8b008b", "#555555", "#c02040", "#00a0a0",
                    "#907000");

    private final Plot plot;
    private final Axis across;
    private final Axis up;
    private final StringBuilder svg = new StringBuilder();

    private SvgPlot(Plot plot) {
        this.plot = plot;
        across =
                plot.xNames().isEmpty()
                        ? Axis.exactlyTo(most(plot, true))
                        : new Axis(plot.xNames().size() + 1.0, 1);
        up = Axis.roomFor(most(plot, false));
    }

    public static String of(Plot plot) {
        return new SvgPlot(plot).draw();
    }

    private static double most(Plot plot, boolean isX) {
        return plot.series().stream()
                .flatMap(series -> (isX ? series.xs() : series.ys()).stream())
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .max()
                .orElse(1);
    }

    private String draw() {
        add(
                "<svg viewBox=\"0 0 %d %d\" font-size=\"12\" font-family=\"sans-serif\">"
                        .formatted(WIDTH, HEIGHT));
        add("<g font-weight=\"bold\">");
        text(LEFT, 16, "start", plot.title());
        add("</g>");
        text(LEFT - 6.0, TOP - 14.0, plot.yLabel().length() > 6 ? "middle" : "end", plot.yLabel());
        text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0, "middle", plot.xLabel());
        marks();
        for (int i = 0; i < plot.series().size(); i++) {
            series(plot.series().get(i), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void marks() {
        for (double mark : up.marks()) {
            add(
                    "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>"
                            .formatted(LEFT, y(mark), WIDTH - RIGHT));
            text(LEFT - 6.0, y(mark) + 4, "end", up.text(mark));
        }
        List<String> names = plot.xNames();
        for (double mark : across.marks()) {
            int number = (int) mark;
            if (!names.isEmpty() && (number == 0 || number > names.size())) {
                continue;
            }
            add("<path d=\"M%.1f %dv4\" stroke=\"#888\"/>".formatted(x(mark), HEIGHT - BOTTOM));
            String words = names.isEmpty() ? across.text(mark) : names.get(number - 1);
            text(x(mark), HEIGHT - BOTTOM + 17.0, "middle", words);
        }
    }

    /** Where the colours are used up they come again, dashed. */
    private void series(Plot.Series series, int number) {
        String colour = COLOURS.get(number % COLOURS.size());
        String dashes =
                number < COLOURS.size()
                        ? ""
                        : " stroke-dasharray=\"%d 3\"".formatted(2 + 4 * (number / COLOURS.size()));
        boolean isLine = !series.isPoints() && plot.xNames().isEmpty();
        if (isLine && series.xs().size() > 1) {
            line(series, colour, dashes);
        }
        if (!isLine || series.xs().size() <= SHOWN_POINTS) {
            points(series, colour);
        }
        double y = TOP + (double) LEGEND_LINE * number;
        add(
                "<path d=\"M%d %.1fh14\" stroke=\"%s\" stroke-width=\"4\"%s/>"
                        .formatted(WIDTH - RIGHT + 14, y + 5, colour, dashes));
        text(WIDTH - RIGHT + 34.0, y + 9, "start", shortened(series.name()));
    }

    /** Its end: there names differ (packet/congestion_on=1024). */
    private static String shortened(String name) {
        return name.length() <= NAME_CHARACTERS
                ? name
                : "\u2026" + name.substring(name.length() - NAME_CHARACTERS + 1);
    }

    private void line(Plot.Series series, String colour, String dashes) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < series.xs().size(); i++) {
            path.append(i == 0 ? 'M' : 'L')
                    .append("%.1f %.1f".formatted(x(series.xs().get(i)), y(series.ys().get(i))));
        }
        add(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>"
                        .formatted(path, colour, dashes));
    }

    private void points(Plot.Series series, String colour) {
        // Rings, so that what lies under them is seen.
        String look =
                series.isPoints()
                        ? "r=\"5\" fill=\"none\" stroke-width=\"2\" stroke=\"" + colour + '"'
                        : "r=\"3\" fill=\"" + colour + '"';
        for (int i = 0; i < series.xs().size(); i++) {
            add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" %s/>"
                            .formatted(x(series.xs().get(i)), y(series.ys().get(i)), look));
        }
    }

    private void text(double x, double y, String anchor, String words) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>"
                        .formatted(x, y, anchor, HtmlPage.escaped(words)));
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * across.share(value);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * up.share(value);
    }
}
