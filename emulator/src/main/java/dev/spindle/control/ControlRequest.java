package dev.spindle.control;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

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

    /** Begins a blktrace of a device, to an absolute path. */
    record StartTrace(String device, Path output) implements ControlRequest {}

    /** Ends it. */
    record StopTrace(String device) implements ControlRequest {}

    /** An operation on the disc in a burner. */
    record Disc(String device, String operation) implements ControlRequest {}

    /**
     * A command to a burner in its own language (MMC-5): what SG_IO and CDROM_SEND_PACKET carry.
     *
     * @param cdb its bytes
     * @param inBytes the most that the host takes
     * @param out what the host sends
     */
    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    record Scsi(String device, byte[] cdb, int inBytes, byte[] out) implements ControlRequest {}

    /** A packet writer's statistics to be made zero, as by the driver's file stat/reset. */
    record Reset(String device) implements ControlRequest {}

    /**
     * A file of /sys is to be read or written, as a program under the shim does it.
     *
     * @param path below /sys, where no link leads through; see {@link SysTree}
     * @param value what is written: a character for each byte; empty for reading
     * @param minor the device's number as the program sees it
     * @param devices all that it sees, in the order of their numbers
     */
    record Attribute(String path, Optional<String> value, OptionalInt minor, List<String> devices)
            implements ControlRequest {
        public Attribute {
            devices = List.copyOf(devices);
        }

        public static Attribute read(String path) {
            return new Attribute(path, Optional.empty(), OptionalInt.empty(), List.of());
        }

        public static Attribute write(String path, String value) {
            return new Attribute(path, Optional.of(value), OptionalInt.empty(), List.of());
        }

        private static Attribute of(Map<String, Object> fields) throws BadRequestException {
            String path = text(fields, "path");
            Object value = fields.get("value");
            if (value != null && !(value instanceof String)) {
                throw new BadRequestException("attribute: \"value\" is no text");
            }
            String devices = String.valueOf(fields.getOrDefault("devices", ""));
            return new Attribute(
                    path,
                    Optional.ofNullable(value).map(String::valueOf),
                    minor(fields.get("minor")),
                    devices.isEmpty() ? List.of() : List.of(devices.split(",", -1)));
        }

        private static OptionalInt minor(@Nullable Object given) throws BadRequestException {
            if (given == null) {
                return OptionalInt.empty();
            }
            String text = String.valueOf(given);
            if (!text.matches("\\d{1,6}")) {
                throw new BadRequestException("attribute: \"minor\" is no number of a device");
            }
            return OptionalInt.of(Integer.parseInt(text));
        }

        private String render() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("command", "attribute");
            fields.put("path", path);
            value.ifPresent(text -> fields.put("value", text));
            minor.ifPresent(number -> fields.put("minor", number));
            if (!devices.isEmpty()) {
                fields.put("devices", String.join(",", devices));
            }
            return Json.render(fields);
        }
    }

    /** The devices and where they are reached. */
    record Devices() implements ControlRequest {}

    static ControlRequest parse(String line) throws BadRequestException {
        Map<String, Object> fields = Json.parse(line);
        Object command = fields.get("command");
        return switch (String.valueOf(command)) {
            case "stat" -> new Stat(Optional.ofNullable(fields.get("device")).map(String::valueOf));
            case "tune" -> new Tune(device(fields), settings(fields));
            case "disc" -> new Disc(device(fields), text(fields, "operation"));
            case "reset" -> new Reset(device(fields));
            case "scsi" ->
                    new Scsi(
                            device(fields),
                            base64(fields, "cdb"),
                            whole(fields, "length"),
                            base64(fields, "data"));
            case "trace" -> new StartTrace(device(fields), output(fields));
            case "trace-stop" -> new StopTrace(device(fields));
            case "list" -> new Devices();
            case "attribute" -> Attribute.of(fields);
            default ->
                    throw new BadRequestException(
                            "command "
                                    + command
                                    + ": allowed attribute, disc, list, reset, scsi, stat, trace, trace-stop, tune");
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

    /** Empty where there is none. */
    private static byte[] base64(Map<String, Object> fields, String name)
            throws BadRequestException {
        try {
            return Base64.getDecoder().decode(String.valueOf(fields.getOrDefault(name, "")));
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(
                    fields.get("command") + ": \"" + name + "\" is no base64", e);
        }
    }

    private static int whole(Map<String, Object> fields, String name) throws BadRequestException {
        try {
            return Integer.parseUnsignedInt(String.valueOf(fields.getOrDefault(name, "0")));
        } catch (NumberFormatException e) {
            throw new BadRequestException(
                    fields.get("command") + ": \"" + name + "\" is no whole number", e);
        }
    }

    private static Path output(Map<String, Object> fields) throws BadRequestException {
        try {
            if (fields.get("output") instanceof String text && Path.of(text).isAbsolute()) {
                return Path.of(text);
            }
        } catch (InvalidPathException _) {
            // Told like any other that is no absolute path.
        }
        throw new BadRequestException("trace: no absolute path as \"output\"");
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
            case StartTrace(String device, Path output) ->
                    Json.render(
                            Map.of(
                                    "command",
                                    "trace",
                                    "device",
                                    device,
                                    "output",
                                    output.toString()));
            case StopTrace(String device) ->
                    Json.render(Map.of("command", "trace-stop", "device", device));
            case Disc(String device, String operation) ->
                    Json.render(
                            Map.of("command", "disc", "device", device, "operation", operation));
            case Scsi scsi ->
                    Json.render(
                            Map.of(
                                    "command",
                                    "scsi",
                                    "device",
                                    scsi.device,
                                    "cdb",
                                    Base64.getEncoder().encodeToString(scsi.cdb),
                                    "length",
                                    scsi.inBytes,
                                    "data",
                                    Base64.getEncoder().encodeToString(scsi.out)));
            case Reset(String device) -> Json.render(Map.of("command", "reset", "device", device));
            case Devices() -> Json.render(Map.of("command", "list"));
            case Attribute attribute -> attribute.render();
        };
    }
}
