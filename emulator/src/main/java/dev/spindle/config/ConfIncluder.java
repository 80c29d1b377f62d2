package dev.spindle.config;

import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Includes files by their exact name, from the folder of the file that includes them. The library's
 * own includer passes over what is missing, guesses extensions and looks on the class path; a
 * mistyped profile would then be a profile that is not there.
 */
final class ConfIncluder
        implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private static final int MAX_DEPTH = 16;

    private final List<Path> chain;

    /** {@code chain} ends with the file whose includes these are. */
    ConfIncluder(List<Path> chain) {
        this.chain = List.copyOf(chain);
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        return read(what);
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        return read(what.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        throw refusal(what.toString(), "only files can be included");
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        throw refusal(what, "only files can be included");
    }

    private ConfigObject read(String what) {
        Path file = resolve(what);
        if (!Files.exists(file)) {
            throw refusal(what, "no such file: " + file);
        }
        if (!Files.isRegularFile(file)) {
            throw refusal(what, "is not a file: " + file);
        }
        if (chain.contains(file)) {
            throw refusal(what, "includes itself");
        }
        if (chain.size() >= MAX_DEPTH) {
            throw refusal(what, "includes are nested more than " + MAX_DEPTH + " deep");
        }
        return ConfFile.parse(file, chain);
    }

    private Path resolve(String what) {
        try {
            return chain.getLast().resolveSibling(what).normalize();
        } catch (InvalidPathException notAPath) {
            throw refusal(what, "is not a path");
        }
    }

    private ConfigException refusal(String what, String reason) {
        String place = chain.getLast() + lineOf(what);
        return new ConfigException(
                place + ": include \"" + what.replaceAll("\\p{Cntrl}", "?") + "\": " + reason);
    }

    /** The library does not say where an include stands; the first line that has it does. */
    private String lineOf(String what) {
        try {
            List<String> lines = Files.readAllLines(chain.getLast(), StandardCharsets.UTF_8);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (line.contains("include") && !line.startsWith("#") && line.contains(what)) {
                    return ":" + (i + 1);
                }
            }
            return "";
        } catch (IOException unreadableOrNotUtf8) {
            return "";
        }
    }
}
