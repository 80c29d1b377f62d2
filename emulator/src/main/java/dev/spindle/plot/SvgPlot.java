package dev.spindle.plot;

import java.util.List;

/** A plot as SVG: axes from zero, lines with a legend, points for what was measured. */
public final class SvgPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 320;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 30;
    private static final int BOTTOM = 45;
    private static final int TICKS = 5;
    private static final List<String> COLOURS =
            List.of("#1667b0", "#d2691e", "#2e8b57", "#8b008b", "#555555");

    private final Plot plot;
    private final double mostX;
    private final double mostY;
    private final StringBuilder svg = new StringBuilder();

    private SvgPlot(Plot plot) {
        this.plot = plot;
        mostX = most(plot, true);
        mostY = 1.1 * most(plot, false);
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
        svg.append("<svg viewBox=\"0 0 %d %d\" font-size=\"12\">\n".formatted(WIDTH, HEIGHT));
        text(LEFT, 18, "start", plot.title());
        for (int i = 0; i <= TICKS; i++) {
            double x = mostX * i / TICKS;
            double y = mostY * i / TICKS;
            text(x(x), HEIGHT - BOTTOM + 16.0, "middle", Figures.text(x));
            text(LEFT - 6.0, y(y) + 4, "end", Figures.text(y));
            svg.append(
                    "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n"
                            .formatted(LEFT, y(y), WIDTH - RIGHT));
        }
        text(WIDTH - (double) RIGHT, HEIGHT - 8.0, "end", plot.xLabel());
        text(8, TOP - 4.0, "start", plot.yLabel());
        for (int i = 0; i < plot.series().size(); i++) {
            series(plot.series().get(i), COLOURS.get(i % COLOURS.size()), i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void series(Plot.Series series, String colour, int number) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < series.xs().size(); i++) {
            double x = x(series.xs().get(i));
            double y = y(series.ys().get(i));
            if (series.isPoints()) {
                svg.append(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n"
                                .formatted(x, y, colour));
            } else {
                path.append(i == 0 ? "M" : "L").append("%.1f %.1f".formatted(x, y));
            }
        }
        if (!path.isEmpty()) {
            svg.append(
                    "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n"
                            .formatted(path, colour));
        }
        svg.append(
                "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n"
                        .formatted(WIDTH - 170, TOP + 18 * number, colour));
        text(WIDTH - 154.0, TOP + 18.0 * number + 9, "start", series.name());
    }

    private void text(double x, double y, String anchor, String words) {
        svg.append(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n"
                        .formatted(x, y, anchor, HtmlPage.escaped(words)));
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * value / mostX;
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / mostY;
    }
}
