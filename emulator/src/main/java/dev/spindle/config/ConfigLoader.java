package dev.spindle.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The way in: reads a conf file with its includes and overrides, checks all of it and gives typed
 * settings, or throws one {@link ConfigException} that names every fault.
 */
public final class ConfigLoader {
    private ConfigLoader() {}

    /**
     * Overrides are full paths, such as {@code devices.hda.queue.nr_requests}, and their values.
     */
    public static SpindleConfig load(Path file, Map<String, String> overrides) {
        return read(file, overrides).config();
    }

    /** The same with the origin of every value. */
    public static LoadedConfig read(Path file, Map<String, String> overrides) {
        Reading reading = new Reading(file);
        Section root = Section.root(ConfFile.resolve(file, overrides), reading);
        Optional<ServerConfig> server = ServerReader.read(root);
        Map<String, DriveProfile> drives = drives(root.child("drives"));
        List<DeviceConfig> devices = devices(root.child("devices"), drives);
        List<WorkloadConfig> workloads = WorkloadReader.workloads(root.child("workloads"));
        List<HostConfig> hosts = WorkloadReader.hosts(root.child("hosts"));
        reading.throwIfAny();
        return new LoadedConfig(
                new SpindleConfig(server.orElseThrow(), devices, workloads, hosts),
                reading.settings());
    }

    private static Map<String, DriveProfile> drives(Section drives) {
        Map<String, DriveProfile> profiles = new LinkedHashMap<>();
        for (String name : drives.names()) {
            profiles.put(name, new DriveReader(name, drives.child(name)).read());
        }
        return profiles;
    }

    private static List<DeviceConfig> devices(Section section, Map<String, DriveProfile> drives) {
        List<String> names = section.names();
        if (names.isEmpty()) {
            section.problem("there is no device, write devices { NAME { ... } }");
        }
        if (names.size() > Keys.MAX_DEVICES) {
            section.problem(names.size() + " devices, allowed 1 to " + Keys.MAX_DEVICES);
            return List.of();
        }
        List<DeviceConfig> devices = new ArrayList<>();
        for (String name : names) {
            Section device = section.child(name);
            new DeviceReader(name, device, drives).read().ifPresent(devices::add);
        }
        new Clashes(section).check(devices);
        return devices;
    }
}
