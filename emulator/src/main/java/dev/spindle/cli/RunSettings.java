package dev.spindle.cli;

import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import dev.spindle.shm.ShimMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code spindle run --set} asks for: KEY=VALUE of the only device, or NAME:KEY=VALUE of that
 * one.
 *
 * @param byDevice the settings of each device; those of the only one under no name
 */
record RunSettings(Map<String, Map<String, String>> byDevice) {
    static RunSettings parse(List<String> texts) {
        Map<String, List<String>> sorted = new LinkedHashMap<>();
        for (String text : texts) {
            int colon = text.indexOf(':');
            boolean isNamed = colon >= 0 && colon < text.indexOf('=');
            String device = isNamed ? text.substring(0, colon) : "";
            String setting = isNamed ? text.substring(colon + 1) : text;
            sorted.computeIfAbsent(device, _ -> new ArrayList<>()).add(setting);
        }
        Map<String, Map<String, String>> byDevice = new LinkedHashMap<>();
        sorted.forEach((device, settings) -> byDevice.put(device, SettingsOption.parse(settings)));
        return new RunSettings(byDevice);
    }

    /** Nothing is tuned unless every name is one of a device that the program sees. */
    void apply(ControlClient client, ShimMap map) throws IOException, RefusedException {
        List<String> names = map.lines().stream().map(ShimMap.Line::name).toList();
        for (String device : byDevice.keySet()) {
            if (device.isEmpty() && names.size() > 1) {
                throw new Failure(
                        "--set needs --device, or NAME: before the key, where there are several"
                                + " devices: "
                                + String.join(", ", names));
            }
            if (!device.isEmpty() && !names.contains(device)) {
                throw new Failure(
                        "--set " + device + ": no such device: " + String.join(", ", names));
            }
        }
        for (Map.Entry<String, Map<String, String>> each : byDevice.entrySet()) {
            String device = each.getKey().isEmpty() ? names.getFirst() : each.getKey();
            client.ask(new ControlRequest.Tune(device, each.getValue()));
        }
    }
}
