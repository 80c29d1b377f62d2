package dev.spindle.daemon;

import dev.spindle.time.DeviceClock;

/**
 * What a daemon is told beside its settings.
 *
 * @param isPrivate it serves the one program of a {@code spindle run}
 */
public record DaemonOptions(RuntimeRoot root, boolean isPrivate, DeviceClock clock) {}
