package dev.spindle.config;

import java.util.List;

/**
 * A CD or DVD burner.
 *
 * @param medium the kind of disc it writes
 * @param speed at which it writes
 * @param writeSpeeds all it can be told to write at
 * @param verifies reads back what it has written
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
        List<Double> writeSpeeds,
        boolean verifies,
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
        writeSpeeds = List.copyOf(writeSpeeds);
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
