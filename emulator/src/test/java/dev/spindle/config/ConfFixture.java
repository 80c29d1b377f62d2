package dev.spindle.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Conf files in a folder of the test's own. Faults are given relative to that folder. */
final class ConfFixture {
    static final String DRIVE = "drives { d { kind = null, max_hw_sectors_kb = 128 } }\n";
    static final String DEVICE = "devices { a { drive = d, size = 1 MiB } }\n";
    static final String DISK =
            """
            drives { k {
              kind = disk
              max_hw_sectors_kb = 128
              rpm = 4200
              heads = 2
              zones = [ { cylinders = 10, sectors_per_track = 100, track_skew = 5, cylinder_skew = 9 } ]
              seek { track_to_track = 2.5ms, average = 12ms, full_stroke = 23ms }
              head_switch = 1.5ms
              bus_rate = 66 MB/s
            } }
            """;

    private final Path folder;

    ConfFixture(Path folder) {
        this.folder = folder;
    }

    Path write(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return Files.writeString(file, text);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    LoadedConfig read(String text) {
        return ConfigLoader.read(write("x.conf", text), Map.of());
    }

    SpindleConfig load(String text) {
        return read(text).config();
    }

    DeviceConfig device(String text) {
        return load(text).devices().getFirst();
    }

    List<String> faults(String text) {
        return faults(text, Map.of());
    }

    List<String> faults(String text, Map<String, String> overrides) {
        return faultsOf(write("x.conf", text), overrides);
    }

    List<String> faultsOf(Path file, Map<String, String> overrides) {
        ConfigException refusal =
                catchThrowableOfType(
                        ConfigException.class, () -> ConfigLoader.load(file, overrides));
        return refusal.problems().stream()
                .map(problem -> problem.replace(folder + "/", ""))
                .toList();
    }
}
