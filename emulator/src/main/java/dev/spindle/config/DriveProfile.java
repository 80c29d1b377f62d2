package dev.spindle.config;

import java.util.Optional;

/**
 * A drive as the conf file has it.
 *
 * @param drive empty where it has faults; its devices are checked against what is left
 * @param queue what it would have its devices' queues be
 */
record DriveProfile(Optional<DriveConfig> drive, Section queue) {}
