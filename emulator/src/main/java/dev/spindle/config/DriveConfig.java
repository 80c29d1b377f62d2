package dev.spindle.config;

/** A drive profile: what the drive is, whichever device uses it. */
public sealed interface DriveConfig permits NullDriveConfig, DiskDriveConfig, OpticalDriveConfig {
    /** The profile's name in the conf file. */
    String profile();

    /** What the drive calls itself. */
    String model();

    int logicalBlockBytes();

    int physicalBlockBytes();

    /** The most the controller moves in one command, in KiB. */
    int maxHwSectorsKb();
}
