package dev.spindle.testbench.simulate;

import dev.spindle.cli.Experiments;
import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.HostConfig;
import dev.spindle.config.SettingNames;
import dev.spindle.config.SpindleConfig;
import dev.spindle.config.WorkloadConfig;
import dev.spindle.testbench.host.DeviceShelf;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an order comes to: which workload on which device, and all settings under their full names.
 */
final class Plan {
    private static final String OWN_WORKLOAD = "simulate";
    private static final String OWN_HOST = "default";

    private final Path conf;
    private final String workload;
    private final String host;
    private final DeviceConfig device;
    private final Map<String, String> overrides = new LinkedHashMap<>();
    private final SettingNames names;

    Plan(Experiments.Simulation order) {
        conf = order.conf();
        SpindleConfig config = ConfigLoader.load(conf, Map.of());
        Optional<WorkloadConfig> given =
                order.workload()
                        .map(name ->
                                DeviceShelf.named(
                                        name,
                                        "workload",
                                        config.workloads(),
                                        WorkloadConfig::name));
        workload = given.map(WorkloadConfig::name).orElse(OWN_WORKLOAD);
        host =
                Optional.ofNullable(order.flags().get("host"))
                        .or(() -> given.flatMap(WorkloadConfig::host))
                        .map(name ->
                                DeviceShelf.named(name, "host", config.hosts(), HostConfig::name))
                        .map(HostConfig::name)
                        .orElse(OWN_HOST);
        device = device(order, config, given.flatMap(WorkloadConfig::device));
        String drive = order.drive().orElse(device.drive().profile());
        overrides.put(path("workloads", workload, "device"), device.name());
        overrides.put(path("workloads", workload, "host"), host);
        overrides.put(path("devices", device.name(), "drive"), drive);
        if (config.hosts().stream().noneMatch(each -> each.name().equals(OWN_HOST))) {
            overrides.put(path("hosts", OWN_HOST, "cpu_per_call"), "0 ms");
        }
        names = new SettingNames(device.name(), drive, workload, host);
        order.flags().forEach((key, value) -> set("workload." + key, value));
        order.settings().forEach(this::set);
    }

    private static String path(String section, String name, String key) {
        return section + ".\"" + name + "\"." + key;
    }

    private void set(String key, String value) {
        overrides.put(names.resolve(key), value);
    }

    private static DeviceConfig device(
            Experiments.Simulation order, SpindleConfig config, Optional<String> ofWorkload) {
        List<DeviceConfig> devices = config.devices();
        Optional<String> named =
                order.device()
                        .or(() ->
                                order.drive()
                                        .flatMap(profile ->
                                                devices.stream()
                                                        .filter(each ->
                                                                each.drive()
                                                                        .profile()
                                                                        .equals(profile))
                                                        .map(DeviceConfig::name)
                                                        .findFirst()))
                        .or(() -> ofWorkload);
        if (named.isEmpty() && devices.size() > 1) {
            String question =
                    order.drive()
                            .map(profile ->
                                    "no device has the drive "
                                            + profile
                                            + ", and --device does not say which is to have it")
                            .orElse("which device? --device or --drive says");
            throw new IllegalArgumentException(
                    question
                            + "; there is "
                            + String.join(", ", devices.stream().map(DeviceConfig::name).toList()));
        }
        return named.map(name -> DeviceShelf.named(name, "device", devices, DeviceConfig::name))
                .orElseGet(devices::getFirst);
    }

    /** The full name of what a sweep varies; refused where it is set as well. */
    String fullName(Sweep sweep, Experiments.Simulation order) {
        String full = names.resolve(sweep.key());
        boolean isSet =
                order.flags().keySet().stream()
                                .anyMatch(key -> names.resolve("workload." + key).equals(full))
                        || order.settings().keySet().stream()
                                .anyMatch(key -> names.resolve(key).equals(full));
        if (isSet) {
            throw new IllegalArgumentException(sweep.key() + ": both set and swept");
        }
        return full;
    }

    /** One run, with more settings under their full names, and a seed so many further on. */
    Measures run(Map<String, String> more, int seedOffset) {
        Map<String, String> all = new LinkedHashMap<>(overrides);
        all.putAll(more);
        SpindleConfig config = ConfigLoader.load(conf, all);
        WorkloadConfig found =
                DeviceShelf.named(workload, "workload", config.workloads(), WorkloadConfig::name);
        String onHost = found.host().orElse(OWN_HOST);
        String onDevice = found.device().orElse(device.name());
        return Simulation.run(
                DeviceShelf.named(onDevice, "device", config.devices(), DeviceConfig::name),
                DeviceShelf.named(onHost, "host", config.hosts(), HostConfig::name),
                found.seeded(found.seed() + seedOffset));
    }

    String title() {
        return workload + " on " + device.name() + " (" + conf.getFileName() + ")";
    }
}
