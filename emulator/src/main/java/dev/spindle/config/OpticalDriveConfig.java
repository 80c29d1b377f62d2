package dev.spindle.config;

/**
 * A CD or DVD burner.
 *
 * @param medium the kind of disc it writes
 * @param speed at which it writes
 * @param maxReadSpeed the most it reads at
 * @param commandNs a command's overhead
 * @param readAccessNs until a read elsewhere has found its place
 * @param writeRestartNs until the laser writes after anything but a gapless stream
 * @param startUpNs once, before the first write
 * @param bufferBytes the write buffer
 */
public record OpticalDriveConfig(
        String profile,
        String model,
        int maxHwSectorsKb,
        MediumType medium,
        double speed,
        double maxReadSpeed,
        long commandNs,
        long readAccessNs,
        long writeRestartNs,
        long startUpNs,
        long busBytesPerSecond,
        long bufferBytes)
        implements DriveConfig {
    /** A block of user data on every optical medium. */
    public static final int BLOCK_BYTES = 2048;

    public OpticalDriveConfig {
        Checks.require(speed > 0 && maxReadSpeed >= speed, "max_read_speed is less than speed");
        Checks.requireRange("bus_rate", busBytesPerSecond, 1, Long.MAX_VALUE);
        Checks.requireRange("buffer", bufferBytes, 2L * medium.packetBytes(), Long.MAX_VALUE);
    }

    @Override
    public int logicalBlockBytes() {
        return BLOCK_BYTES;
    }

    @Override
    public int physicalBlockBytes() {
        return BLOCK_BYTES;
    }
}
