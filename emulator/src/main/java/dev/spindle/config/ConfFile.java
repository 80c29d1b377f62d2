package dev.spindle.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads one conf file with all it includes into a tree whose values know their places. */
final class ConfFile {
    private static final long MAX_BYTES = 1 << 20;

    private ConfFile() {}

    /** The file with overrides laid over it and substitutions worked out. */
    static ConfigObject resolve(Path file, Map<String, String> overrides) {
        try {
            Config own = parse(file, List.of()).toConfig();
            return overlay(overrides).withFallback(own).resolve().root();
        } catch (com.typesafe.config.ConfigException fault) {
            throw new ConfigException(oneLine(file, fault));
        } catch (StackOverflowError tooDeep) {
            throw new ConfigException(file + ": is nested too deeply");
        }
    }

    /** The file alone; {@code chain} is who includes it, outermost first. */
    static ConfigObject parse(Path file, List<Path> chain) {
        requireReadable(file);
        List<Path> longer = new ArrayList<>(chain);
        longer.add(file);
        ConfigParseOptions options =
                ConfigParseOptions.defaults()
                        .setSyntax(ConfigSyntax.CONF)
                        .setAllowMissing(false)
                        .setIncluder(new ConfIncluder(longer));
        return ConfigFactory.parseFile(file.toFile(), options).root();
    }

    private static void requireReadable(Path file) {
        if (!Files.exists(file)) {
            throw new ConfigException(file + ": no such file");
        }
        if (!Files.isRegularFile(file)) {
            throw new ConfigException(file + ": is not a file");
        }
        if (!Files.isReadable(file)) {
            throw new ConfigException(file + ": may not be read");
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigException(file + ": is larger than 1 MiB");
            }
            Files.readString(file);
        } catch (CharacterCodingException notText) {
            throw new ConfigException(file + ": is not text in UTF-8");
        } catch (IOException fault) {
            throw new ConfigException(file + ": cannot be read: " + fault.getMessage());
        }
    }

    private static Config overlay(Map<String, String> overrides) {
        Config overlay = ConfigFactory.empty();
        List<String> problems = new ArrayList<>();
        for (var override : new TreeMap<>(overrides).entrySet()) {
            try {
                String path = ConfigUtil.joinPath(ConfigUtil.splitPath(override.getKey()));
                overlay =
                        overlay.withValue(
                                path,
                                ConfigValueFactory.fromAnyRef(
                                        override.getValue(), Reading.OVERRIDE));
            } catch (com.typesafe.config.ConfigException fault) {
                problems.add(Reading.OVERRIDE + ": " + override.getKey() + ": is not a key");
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return overlay;
    }

    /** The library's own message begins with the place, in its own manner. */
    private static String oneLine(Path file, com.typesafe.config.ConfigException fault) {
        String message = String.valueOf(fault.getMessage()).replaceAll("\\s+", " ");
        ConfigOrigin origin = fault.origin();
        if (origin == null || origin.filename() == null) {
            return message.startsWith(file + ": ") ? message : file + ": " + message;
        }
        String prefix = origin.description() + ": ";
        String text = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return new Reading(file).location(origin) + ": " + plain(text);
    }

    /** Without the library's guesses, which mislead where a bracket is missing. */
    private static String plain(String text) {
        if (text.endsWith("end of file")) {
            return "the file ends where a }, ] or ) is still open";
        }
        int guess = text.indexOf(" (if you intended");
        return guess < 0 ? text : text.substring(0, guess);
    }
}
