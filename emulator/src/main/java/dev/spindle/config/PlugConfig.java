package dev.spindle.config;

/**
 * Whether a request that finds the queue empty waits for company.
 *
 * @param isOn off: only until the end of the batch it came in
 * @param threshold so many waiting commands end the wait
 * @param delayNs after so long it ends by itself
 */
public record PlugConfig(boolean isOn, int threshold, long delayNs) {}
