package dev.spindle.plot;

import java.util.List;

/** Lines over a common axis. */
public record Plot(String title, String xLabel, String yLabel, List<Series> series) {
    /** One line, or points where it is the thread's. */
    public record Series(String name, List<Double> xs, List<Double> ys, boolean isPoints) {}
}
