package dev.spindle.config;

import com.typesafe.config.ConfigUtil;
import java.util.List;
import java.util.function.ToIntFunction;

/** Renders effective settings for people and for the loader. */
public final class SettingsPrinter {
    private static final int WIDEST = 48;

    private SettingsPrinter() {}

    /** Three aligned columns: key, value, origin. */
    public static String asText(List<Setting> settings) {
        int keyWidth = widest(settings, setting -> setting.key().length());
        int valueWidth = Math.min(WIDEST, widest(settings, setting -> setting.value().length()));
        String format = "%-" + keyWidth + "s  %-" + valueWidth + "s  %s%n";
        StringBuilder text = new StringBuilder();
        for (Setting setting : settings) {
            text.append(format.formatted(setting.key(), setting.value(), setting.origin()));
        }
        return text.toString();
    }

    /** A conf file with every key written out; loading it gives the same settings. */
    public static String asHocon(List<Setting> settings) {
        StringBuilder text = new StringBuilder();
        for (Setting setting : settings) {
            text.append(assignment(setting)).append("  # ").append(setting.origin()).append('\n');
        }
        return text.toString();
    }

    private static String assignment(Setting setting) {
        if (setting.isElement()) {
            String list = setting.key().substring(0, setting.key().lastIndexOf('['));
            return list + " += " + setting.value();
        }
        return setting.key() + " = " + quoted(setting.value());
    }

    private static String quoted(String value) {
        boolean isPlain = value.matches("on|off|auto|\\d[\\w.]*( [\\w]+(/s)?)?");
        return isPlain ? value : ConfigUtil.quoteString(value);
    }

    private static int widest(List<Setting> settings, ToIntFunction<Setting> width) {
        return settings.stream().mapToInt(width).max().orElse(1);
    }
}
