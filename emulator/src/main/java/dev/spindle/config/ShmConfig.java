package dev.spindle.config;

import java.nio.file.Path;

/**
 * Memory shared with programs under the shim.
 *
 * @param path where the files are made, in a folder of this user's
 * @param arenaBytes the most data one process has under way on one device
 * @param memoryBytes of all processes and devices together
 * @param clients processes times devices; the next one speaks NBD
 */
public record ShmConfig(
        boolean enabled, Path path, long arenaBytes, long memoryBytes, int clients) {
    public ShmConfig {
        Checks.requireRange("clients", clients, 1, Integer.MAX_VALUE);
        Checks.require(arenaBytes <= memoryBytes, "arena is larger than memory");
    }
}
