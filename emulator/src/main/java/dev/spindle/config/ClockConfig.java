package dev.spindle.config;

/**
 * How time passes for a device.
 *
 * @param timeScale how many times as fast as the wall's
 * @param wakeAheadNs how long before a deadline its loop may stop sleeping; wall time
 */
public record ClockConfig(double timeScale, long wakeAheadNs) {
    public ClockConfig {
        Checks.require(timeScale > 0, "time_scale is not positive");
        Checks.requireRange("wake_ahead", wakeAheadNs, 0, Long.MAX_VALUE);
    }
}
