package dev.spindle.drive.disk;

import java.util.Arrays;

/**
 * How long the arm takes over a distance in cylinders. A measured table, read between its points in
 * a straight line; or the three figures of a data sheet, through which a curve is laid in the form
 * that Ruemmler and Wilkes measured on HP drives ("An introduction to disk drive modeling", 1994):
 * a + b*sqrt(d) up to a third of the stroke, c + e*d beyond.
 */
public final class SeekCurve {
    private final double[] cylinders;
    private final double[] timesNs;
    private final double leastNs;

    private SeekCurve(double[] cylinders, double[] timesNs) {
        this.cylinders = cylinders;
        this.timesNs = timesNs;
        leastNs = Arrays.stream(timesNs).min().orElseThrow();
    }

    /** Distances ascend from 1 on; beyond the last the last straight line goes on. */
    public static SeekCurve ofTable(int[] cylinders, long[] timesNs) {
        if (cylinders.length < 1 || cylinders.length != timesNs.length) {
            throw new IllegalArgumentException(
                    "seek table: " + cylinders.length + " distances, " + timesNs.length + " times");
        }
        for (int i = 0; i < cylinders.length; i++) {
            if (cylinders[i] <= (i == 0 ? 0 : cylinders[i - 1])) {
                throw new IllegalArgumentException(
                        "seek table: distance " + cylinders[i] + " does not ascend");
            }
        }
        return new SeekCurve(
                Arrays.stream(cylinders).asDoubleStream().toArray(),
                Arrays.stream(timesNs).asDoubleStream().toArray());
    }

    /**
     * The six-parameter equation of the same paper. Up to {@code divisionCylinders} it is {@code
     * rootConstantNs + rootFactorNs * sqrt(d)}, from there on {@code lineConstantNs + lineFactorNs
     * * d}; the times over the shortest distances, where given, are what was measured.
     */
    public static SeekCurve ofEquation(
            Equation equation, long[] firstTimesNs, int strokeCylinders) {
        int division = Math.min(equation.divisionCylinders(), strokeCylinders);
        int exact = Math.max(firstTimesNs.length, division - 1);
        double[] cylinders = new double[exact + 2];
        double[] timesNs = new double[exact + 2];
        for (int i = 0; i < exact + 2; i++) {
            int distance = i <= exact ? i + 1 : Math.max(exact + 2, strokeCylinders);
            cylinders[i] = distance;
            timesNs[i] = i < firstTimesNs.length ? firstTimesNs[i] : equation.timeNs(distance);
        }
        return new SeekCurve(cylinders, timesNs);
    }

    /** The constants of {@link #ofEquation}. */
    public record Equation(
            int divisionCylinders,
            double rootConstantNs,
            double rootFactorNs,
            double lineConstantNs,
            double lineFactorNs) {
        double timeNs(int distance) {
            return distance < divisionCylinders
                    ? rootConstantNs + rootFactorNs * Math.sqrt(distance)
                    : lineConstantNs + lineFactorNs * distance;
        }
    }

    /** The points the curve is read between: cylinders. */
    public double[] cylinders() {
        return cylinders.clone();
    }

    /** The points the curve is read between: times. */
    public double[] timesNs() {
        return timesNs.clone();
    }

    /**
     * Through a data sheet's figures; the average is that of random seeks, which is close to the
     * time over a third of the stroke.
     */
    public static SeekCurve ofDataSheet(
            long trackToTrackNs, long averageNs, long fullStrokeNs, int strokeCylinders) {
        if (trackToTrackNs < 0 || averageNs < trackToTrackNs || fullStrokeNs < averageNs) {
            throw new IllegalArgumentException(
                    "seek times track_to_track="
                            + trackToTrackNs
                            + " average="
                            + averageNs
                            + " full_stroke="
                            + fullStrokeNs
                            + " ns do not ascend");
        }
        double third = Math.max(2, strokeCylinders / 3.0);
        double slope = (averageNs - trackToTrackNs) / (Math.sqrt(third) - 1);
        int curvePoints = 64;
        double[] cylinders = new double[curvePoints + 1];
        double[] timesNs = new double[curvePoints + 1];
        for (int i = 0; i < curvePoints; i++) {
            double distance = Math.pow(third, i / (curvePoints - 1.0));
            cylinders[i] = distance;
            timesNs[i] = trackToTrackNs + slope * (Math.sqrt(distance) - 1);
        }
        cylinders[curvePoints] = Math.max(third + 1, strokeCylinders - 1.0);
        timesNs[curvePoints] = fullStrokeNs;
        return new SeekCurve(cylinders, timesNs);
    }

    /** Zero for no distance; a fraction of a cylinder counts as one. */
    public double timeNs(double distanceCylinders) {
        if (distanceCylinders <= 0) {
            return 0;
        }
        double distance = Math.max(1, distanceCylinders);
        int at = Arrays.binarySearch(cylinders, distance);
        if (at >= 0) {
            return timesNs[at];
        }
        int above = Math.min(Math.max(-at - 1, 1), cylinders.length - 1);
        if (above == 0 || distance < cylinders[0]) {
            return timesNs[0];
        }
        int below = above - 1;
        double share = (distance - cylinders[below]) / (cylinders[above] - cylinders[below]);
        return Math.max(leastNs, timesNs[below] + share * (timesNs[above] - timesNs[below]));
    }
}
