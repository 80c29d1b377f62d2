package dev.spindle.config;

import java.util.List;

/**
 * All a daemon is told at start-up; workloads and hosts are for simulations alone. Everything is in
 * the order of its names.
 */
public record SpindleConfig(
        ServerConfig server,
        List<DeviceConfig> devices,
        List<WorkloadConfig> workloads,
        List<HostConfig> hosts) {
    public SpindleConfig {
        devices = List.copyOf(devices);
        workloads = List.copyOf(workloads);
        hosts = List.copyOf(hosts);
        Checks.require(!devices.isEmpty(), "no devices");
    }
}
