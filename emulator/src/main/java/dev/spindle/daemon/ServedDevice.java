package dev.spindle.daemon;

import java.util.List;

/**
 * A device that is being served, for the one who started it.
 *
 * @param path where programs under the shim find it
 * @param addresses NBD URIs
 * @param attachCommand makes it a kernel block device
 */
public record ServedDevice(
        String name,
        String description,
        String path,
        List<String> addresses,
        String attachCommand) {
    public ServedDevice {
        addresses = List.copyOf(addresses);
    }
}
