package dev.spindle.config;

import java.util.List;

/** Measured points: cylinders strictly ascending; at least one. */
public record SeekTableConfig(List<SeekPointConfig> points) implements SeekConfig {
    public SeekTableConfig {
        points = List.copyOf(points);
        Checks.require(!points.isEmpty(), "no points");
        for (int i = 1; i < points.size(); i++) {
            Checks.require(points.get(i).isBeyond(points.get(i - 1)), "points are not ascending");
        }
    }
}
