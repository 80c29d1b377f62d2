package dev.spindle.disksim;

/**
 * Model against drive as an SVG: for reads, writes and all, the share of requests served within a
 * time. The area between the two lines of a colour is what the rms measures.
 */
public final class QuantilePlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final int POINTS = 200;

    private final StringBuilder svg = new StringBuilder();
    private final double mostMs;

    private QuantilePlot(double mostMs) {
        this.mostMs = mostMs;
    }

    public static String of(Validation validation) {
        double mostMs = 1;
        for (ServiceTimes times :
                new ServiceTimes[] {validation.all(), validation.reads(), validation.writes()}) {
            double[] drive = times.driveQuantilesMs(POINTS);
            double[] model = times.modelQuantilesMs(POINTS);
            mostMs = Math.max(mostMs, Math.max(drive[POINTS - 2], model[POINTS - 2]));
        }
        QuantilePlot plot = new QuantilePlot(mostMs);
        plot.begin(validation);
        plot.axes();
        plot.curves("reads", "#1f77b4", validation.reads(), 0);
        plot.curves("writes", "#d62728", validation.writes(), 1);
        plot.curves("all", "#333333", validation.all(), 2);
        plot.svg.append("</svg>\n");
        return plot.svg.toString();
    }

    private void begin(Validation validation) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                        + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        add(
                "<text x=\"%d\" y=\"24\" font-size=\"14\">%s: model (dashed) against drive (solid),"
                        + " demerit %.2f %%</text>",
                LEFT, escaped(validation.drive().name()), 100 * validation.all().demerit());
    }

    private void axes() {
        for (int i = 0; i <= 10; i++) {
            double y = y(i / 10.0);
            add(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                    LEFT, y, WIDTH - RIGHT, y);
            add(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>",
                    LEFT - 6, y + 4, i * 10);
        }
        double step = step();
        for (double ms = 0; ms <= mostMs; ms += step) {
            add(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
                    x(ms), TOP, x(ms), HEIGHT - BOTTOM);
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(ms), HEIGHT - BOTTOM + 18, ValidationReport.format("%.4g", ms));
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">service time, ms</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    }

    private double step() {
        double step = Math.pow(10, Math.floor(Math.log10(mostMs)));
        while (mostMs / step < 5) {
            step /= 2;
        }
        return step;
    }

    private void curves(String name, String colour, ServiceTimes times, int place) {
        add(
                "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
                LEFT + 20 + 70 * place, TOP - 8, colour, name);
        if (times.count() > 0) {
            curve(times.driveQuantilesMs(POINTS), colour, "");
            curve(times.modelQuantilesMs(POINTS), colour, " stroke-dasharray=\"6 4\"");
        }
    }

    private void curve(double[] quantilesMs, String colour, String dashes) {
        svg.append("<polyline fill=\"none\" stroke=\"").append(colour).append('"');
        svg.append(" stroke-width=\"1.6\"").append(dashes).append(" points=\"");
        for (int i = 0; i < POINTS; i++) {
            double ms = Math.min(mostMs, quantilesMs[i]);
            svg.append(ValidationReport.format("%.1f,%.1f ", x(ms), y((i + 0.5) / POINTS)));
        }
        svg.append("\"/>\n");
    }

    private double x(double ms) {
        return LEFT + ms / mostMs * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double share) {
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private void add(String pattern, Object... values) {
        svg.append(ValidationReport.format(pattern, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
