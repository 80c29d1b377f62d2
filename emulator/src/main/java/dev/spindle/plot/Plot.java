package dev.spindle.plot;

import java.util.List;

/**
 * Lines over a common axis.
 *
 * @param xNames what stands at 1, 2, 3, ... where these are no quantities: then nothing lies
 *     between them, and there are no lines; empty otherwise
 */
public record Plot(
        String title, String xLabel, String yLabel, List<Series> series, List<String> xNames) {
    public Plot {
        series = List.copyOf(series);
        xNames = List.copyOf(xNames);
    }

    public Plot(String title, String xLabel, String yLabel, List<Series> series) {
        this(title, xLabel, yLabel, series, List.of());
    }

    /** One line, or points where it is the thread's. */
    public record Series(String name, List<Double> xs, List<Double> ys, boolean isPoints) {}
}
