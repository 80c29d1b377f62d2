package dev.spindle.testbench.host;

import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.control.QueueMapping;
import dev.spindle.daemon.Drives;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.RequestQueue;
import dev.spindle.time.EventHeap;
import java.nio.file.Path;
import java.util.Map;

/** The devices of a conf file, each to be had as often as wanted, with keys overridden. */
public record DeviceShelf(Path conf) {
    /** As {@code --set} does: full paths and values. */
    public SimulatedDevice open(String name, Map<String, String> overrides, EventHeap events) {
        DeviceConfig config =
                ConfigLoader.load(conf, overrides).devices().stream()
                        .filter(device -> device.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no device " + name));
        return open(config, events);
    }

    private static SimulatedDevice open(DeviceConfig config, EventHeap events) {
        DataMover mover = DataMover.inline(new VoidStore(config.sizeBytes()));
        Drive drive = Drives.open(config.drive(), config.disc(), config.sizeBytes(), mover);
        RequestQueue queue =
                new RequestQueue(QueueMapping.settings(config.queue()), drive, new Counters());
        return new SimulatedDevice(config.name(), events, queue, queue);
    }
}
