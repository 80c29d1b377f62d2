package dev.spindle.time;

/**
 * How many times as fast as the wall's a device's time passes, in whole thousandths, so that spans
 * are converted without rounding errors that add up.
 *
 * @param thousandths 1000 where the two are the same
 */
public record TimeScale(int thousandths) {
    /** Device time is wall time. */
    public static final TimeScale REAL = new TimeScale(1000);

    /** A hundred times slower. */
    public static final double LEAST = 0.01;

    /** A hundred times faster: device time then lasts for almost three years. */
    public static final double MOST = 100;

    private static final long UNIT = 1000;

    public TimeScale {
        if (thousandths < LEAST * UNIT || thousandths > MOST * UNIT) {
            throw new IllegalArgumentException(
                    "time scale %d/1000: allowed %s to %s".formatted(thousandths, LEAST, MOST));
        }
    }

    /** The nearest thousandth. */
    public static TimeScale of(double factor) {
        return new TimeScale(Math.toIntExact(Math.round(factor * UNIT)));
    }

    public double factor() {
        return thousandths / (double) UNIT;
    }

    /** Device time that passes in a span of wall time, in ns, rounded down. */
    public long toDeviceNs(long wallNs) {
        long whole = Math.floorDiv(wallNs, UNIT);
        return whole * thousandths + Math.floorMod(wallNs, UNIT) * thousandths / UNIT;
    }

    /** The shortest span of wall time, in ns, in which so much device time passes. */
    public long toWallNs(long deviceNs) {
        long whole = Math.floorDiv(deviceNs, (long) thousandths);
        long rest = Math.floorMod(deviceNs, (long) thousandths) * UNIT;
        return whole * UNIT + Math.ceilDiv(rest, (long) thousandths);
    }
}
