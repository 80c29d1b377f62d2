package dev.spindle.testbench.host;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.HostConfig;
import dev.spindle.daemon.DeviceStack;
import dev.spindle.drive.DataMover;
import dev.spindle.media.VoidStore;
import dev.spindle.time.EventHeap;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The devices of a conf file, each to be had as often as wanted, with keys overridden. */
public record DeviceShelf(Path conf) {
    /** As {@code --set} does: full paths and values. */
    public SimulatedDevice open(String name, Map<String, String> overrides, EventHeap events) {
        List<DeviceConfig> devices = ConfigLoader.load(conf, overrides).devices();
        return open(named(name, "device", devices, DeviceConfig::name), events);
    }

    /** A host of the same file. */
    public HostConfig host(String name) {
        List<HostConfig> hosts = ConfigLoader.load(conf, Map.of()).hosts();
        return named(name, "host", hosts, HostConfig::name);
    }

    /** The one of that name; where there is none, the message says which there are. */
    public static <T> T named(String name, String what, List<T> all, Function<T, String> nameOf) {
        return all.stream()
                .filter(each -> nameOf.apply(each).equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no "
                                        + what
                                        + " "
                                        + name
                                        + ", there is "
                                        + String.join(", ", all.stream().map(nameOf).toList())));
    }

    /** The very machines of a live device; nothing is kept of the data. */
    public static SimulatedDevice open(DeviceConfig config, EventHeap events) {
        DataMover mover = DataMover.inline(new VoidStore(config.sizeBytes()));
        DeviceStack stack = DeviceStack.build(config, mover);
        return new SimulatedDevice(config.name(), events, stack.top(), stack.queue());
    }
}
