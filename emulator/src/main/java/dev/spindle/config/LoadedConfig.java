package dev.spindle.config;

import java.util.List;

/** Settings ready for use, and where each came from, in a stable order. */
public record LoadedConfig(SpindleConfig config, List<Setting> settings) {
    public LoadedConfig {
        settings = List.copyOf(settings);
    }
}
