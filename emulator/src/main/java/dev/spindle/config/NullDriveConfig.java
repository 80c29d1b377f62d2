package dev.spindle.config;

/** A drive that takes no time. */
public record NullDriveConfig(
        String profile,
        String model,
        int logicalBlockBytes,
        int physicalBlockBytes,
        int maxHwSectorsKb)
        implements DriveConfig {}
