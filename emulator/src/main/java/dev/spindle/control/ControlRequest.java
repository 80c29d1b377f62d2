package dev.spindle.control;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What can be asked of a daemon. */
public sealed interface ControlRequest {
    /** One device or all, with the server's counters. */
    record Stat(Optional<String> device) implements ControlRequest {}

    /** Several settings of one device, all or none. */
    record Tune(String device, Map<String, String> settings) implements ControlRequest {
        public Tune {
            settings = Map.copyOf(settings);
        }
    }

    /** An operation on the disc in a burner. */
    record Disc(String device, String operation) implements ControlRequest {}

    /** The devices and where they are reached. */
    record Devices() implements ControlRequest {}

    static ControlRequest parse(String line) throws BadRequestException {
        Map<String, Object> fields = Json.parse(line);
        Object command = fields.get("command");
        return switch (String.valueOf(command)) {
            case "stat" -> new Stat(Optional.ofNullable(fields.get("device")).map(String::valueOf));
            case "tune" -> new Tune(device(fields), settings(fields));
            case "disc" -> new Disc(device(fields), text(fields, "operation"));
            case "list" -> new Devices();
            default ->
                    throw new BadRequestException(
                            "command " + command + ": allowed disc, list, stat, tune");
        };
    }

    private static String device(Map<String, Object> fields) throws BadRequestException {
        return text(fields, "device");
    }

    private static String text(Map<String, Object> fields, String name) throws BadRequestException {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new BadRequestException(fields.get("command") + ": no \"" + name + "\"");
    }

    private static Map<String, String> settings(Map<String, Object> fields)
            throws BadRequestException {
        if (!(fields.get("settings") instanceof Map<?, ?> given) || given.isEmpty()) {
            throw new BadRequestException("tune: no \"settings\"");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        given.forEach((key, value) -> settings.put(String.valueOf(key), String.valueOf(value)));
        return settings;
    }

    /** The same as a line to send. */
    default String line() {
        return switch (this) {
            case Stat(Optional<String> device) ->
                    device.map(name -> Json.render(Map.of("command", "stat", "device", name)))
                            .orElseGet(() -> Json.render(Map.of("command", "stat")));
            case Tune(String device, Map<String, String> settings) ->
                    Json.render(Map.of("command", "tune", "device", device, "settings", settings));
            case Disc(String device, String operation) ->
                    Json.render(
                            Map.of("command", "disc", "device", device, "operation", operation));
            case Devices() -> Json.render(Map.of("command", "list"));
        };
    }
}
