package dev.spindle.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What stands to the left and right of = in arguments. */
final class SettingsOption {
    private SettingsOption() {}

    static Map<String, String> parse(List<String> arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 1) {
                throw new Failure("\"" + argument + "\" is not KEY=VALUE");
            }
            String key = argument.substring(0, equals).strip();
            if (settings.put(key, argument.substring(equals + 1).strip()) != null) {
                throw new Failure(key + ": given twice");
            }
        }
        return settings;
    }
}
