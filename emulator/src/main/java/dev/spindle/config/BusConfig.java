package dev.spindle.config;

/**
 * The way between host and drive.
 *
 * @param readWatermark the share of a read that is in the buffer before the bus is asked for
 */
public record BusConfig(
        long readBytesPerSecond,
        long writeBytesPerSecond,
        double readWatermark,
        long prepareNs,
        long reselectNs,
        long readReleaseNs,
        long readReleaseAfterWriteNs,
        long writeReleaseNs,
        ExtraReleaseConfig extra) {
    public BusConfig {
        Checks.requireRange("bus_rate", readBytesPerSecond, 1, Long.MAX_VALUE);
        Checks.requireRange("bus.write_rate", writeBytesPerSecond, 1, Long.MAX_VALUE);
    }

    /** A bus that costs nothing but the moving of data. */
    public static BusConfig ofRate(long bytesPerSecond) {
        return new BusConfig(
                bytesPerSecond,
                bytesPerSecond,
                0,
                0,
                0,
                0,
                0,
                0,
                new ExtraReleaseConfig(false, 0, 0, 0, 0, 0, 0));
    }

    /** The bus let go of between a write's command and its data. */
    public record ExtraReleaseConfig(
            boolean isDone,
            long commandNs,
            long releaseNs,
            long awayNs,
            long secondReleaseNs,
            long reselectNs,
            long moveDelayNs) {}
}
