package dev.spindle.control;

import dev.spindle.block.QueueLimits;
import dev.spindle.config.ConfigLoader;
import dev.spindle.config.DeviceConfig;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.OwningLoop;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.queue.RequestQueue;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import dev.spindle.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A device whose drive takes commands and never ends one, on a loop that is the test's thread. */
final class TunedDeviceFixture {
    final List<QueueSettings> told = new ArrayList<>();
    final List<Integer> scales = new ArrayList<>();
    final VirtualClock wall = new VirtualClock();
    final QueuedDevice device;
    final ControlledDevice controlled;

    TunedDeviceFixture(Path folder, String kind) throws IOException {
        DeviceConfig config = config(folder, kind);
        RequestQueue queue =
                new RequestQueue(
                        QueueMapping.settings(config.queue()), new StuckDrive(), new Counters());
        DeviceIdentity identity =
                new DeviceIdentity(
                        "hda",
                        "stuck",
                        config.sizeBytes(),
                        new QueueLimits(512, 512, 4096, 128),
                        false,
                        true);
        ScaledClock clock = new ScaledClock(wall, TimeScale.REAL);
        device = new QueuedDevice(identity, queue, 256, clock, new OwnThread(), null);
        controlled =
                new ControlledDevice(
                        config,
                        device,
                        Optional.empty(),
                        List.of("nbd://127.0.0.1:10809/hda"),
                        told::add,
                        scales::add,
                        () -> CompletableFuture.completedFuture(4096L));
    }

    private static DeviceConfig config(Path folder, String kind) throws IOException {
        String disk =
                """
                kind = disk, max_hw_sectors_kb = 128, rpm = 7200, heads = 2, head_switch = 1ms
                bus_rate = 100 MB/s, zones = [ { cylinders = 1000, sectors_per_track = 500 } ]
                seek { track_to_track = 1ms, average = 8ms, full_stroke = 15ms }
                """;
        String drive = kind.equals("disk") ? disk : "kind = null, max_hw_sectors_kb = 128";
        Path file =
                Files.writeString(
                        folder.resolve("test.conf"),
                        "drives { d {\n"
                                + drive
                                + "\n} }\ndevices { hda { drive = d, size = 1 MiB,"
                                + " queue { nr_requests = 4, max_sectors_kb = 64 } } }\n");
        return ConfigLoader.load(file, Map.of()).devices().getFirst();
    }

    private static final class OwnThread implements OwningLoop {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean isInside() {
            return true;
        }

        @Override
        public void runAt(long deadlineNs, Runnable task) {
            // Nothing is ever due.
        }
    }

    private static final class StuckDrive implements Drive {
        private DriveSettings settings = new DriveSettings(true, true);
        private boolean isBusy;

        @Override
        public boolean isReady() {
            return !isBusy;
        }

        @Override
        public void start(DriveCommand command, long nowNs) {
            isBusy = true;
        }

        @Override
        public @Nullable DriveCommand poll(long nowNs) {
            return null;
        }

        @Override
        public long nextDeadlineNs() {
            return DeviceClock.NEVER;
        }

        @Override
        public DriveSettings settings() {
            return settings;
        }

        @Override
        public void apply(DriveSettings newSettings) {
            settings = newSettings;
        }
    }
}
