package dev.spindle.config;

import java.util.List;

/** All a daemon is told at start-up. Devices are in the order of their names. */
public record SpindleConfig(ServerConfig server, List<DeviceConfig> devices) {
    public SpindleConfig {
        devices = List.copyOf(devices);
        Checks.require(!devices.isEmpty(), "no devices");
    }
}
