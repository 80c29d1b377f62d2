package dev.spindle.daemon;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.QueueLimits;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.DriveConfig;
import dev.spindle.config.FileStoreConfig;
import dev.spindle.config.MemoryStoreConfig;
import dev.spindle.config.NullDriveConfig;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.control.QueueMapping;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.Drive;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.packet.PacketDisc;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.queue.Submitter;
import dev.spindle.shm.QueueFile;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import io.netty.channel.EventLoop;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A device on its loop, made from its settings and its store. */
record LiveDevice(
        DeviceConfig config, OpenStore store, QueuedDevice device, Drive drive, EventLoop loop) {
    private static final int PAGE_BYTES = 4096;

    static LiveDevice open(
            DeviceConfig config, OpenStore store, EventLoop eventLoop, DeviceClock wall) {
        ScaledClock clock = new ScaledClock(wall, timeScale(config));
        NettyLoop loop = new NettyLoop(eventLoop, clock, config.clock().wakeAheadNs());
        AtomicReference<QueuedDevice> made = new AtomicReference<>();
        DataMover mover = store.mover(loop, () -> Objects.requireNonNull(made.get()).run());
        DeviceStack stack = DeviceStack.build(config, mover);
        QueuedDevice device =
                new QueuedDevice(
                        identity(config),
                        stack.top(),
                        stack.queue(),
                        config.queue().ringSize(),
                        clock,
                        loop,
                        store.view(loop, config.drive() instanceof NullDriveConfig));
        made.set(device);
        return new LiveDevice(config, store, device, stack.drive(), eventLoop);
    }

    /** Empty where the drive is none. */
    Optional<OpticalDrive> burner() {
        return drive instanceof OpticalDrive burner ? Optional.of(burner) : Optional.empty();
    }

    /** Lets front ends and the packet writer know of what is done to its disc. */
    void watchDisc(QueueFile queueFile) {
        burner().ifPresent(it -> new DiscChanges(config, device, it, queueFile).watch());
    }

    static TimeScale timeScale(DeviceConfig config) {
        return TimeScale.of(config.clock().timeScale());
    }

    static QueueSettings queueSettings(DeviceConfig config) {
        return QueueMapping.settings(config.queue());
    }

    static DeviceIdentity identity(DeviceConfig config) {
        DriveConfig drive = config.drive();
        QueueLimits limits =
                new QueueLimits(
                        drive.logicalBlockBytes(),
                        drive.physicalBlockBytes(),
                        optimalIoBytes(config),
                        drive.maxHwSectorsKb());
        return new DeviceIdentity(
                config.name(),
                description(config),
                config.sizeBytes(),
                limits,
                config.readOnly() || isRefused(config),
                Drives.isRotational(drive));
    }

    private static int optimalIoBytes(DeviceConfig config) {
        return switch (config.drive()) {
            case OpticalDriveConfig optical -> Discs.packetBytes(optical, config.disc());
            case DiskDriveConfig _, NullDriveConfig _ ->
                    Math.max(PAGE_BYTES, config.drive().physicalBlockBytes());
        };
    }

    /** As the driver's open for writing failed, and left only that for reading. */
    private static boolean isRefused(DeviceConfig config) {
        return DeviceStack.disc(config).flatMap(PacketDisc::refusal).isPresent();
    }

    private static String description(DeviceConfig config) {
        String store =
                switch (config.store()) {
                    case MemoryStoreConfig _ -> "memory";
                    case FileStoreConfig file -> file.path().toString();
                };
        return sizeText(config.sizeBytes())
                + "  "
                + config.description().map(text -> text + ", ").orElse("")
                + config.drive().profile()
                + ", "
                + store
                + (config.readOnly() ? ", read-only" : "")
                + DeviceStack.disc(config)
                        .flatMap(PacketDisc::refusal)
                        .map(why -> ", read-only: " + why.sentence() + " (" + why.errno() + ")")
                        .orElse("");
    }

    /** In the largest unit that makes it a whole number. */
    static String sizeText(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        int unit = 0;
        long count = bytes;
        while (unit < units.length - 1 && count % 1024 == 0 && count != 0) {
            count /= 1024;
            unit++;
        }
        return count + " " + units[unit];
    }

    /**
     * Through the queue, like anybody's FLUSH. A burner that is occupied with its disc has written
     * all it had before that, and nobody waits for it.
     */
    CompletableFuture<BlockStatus> flush() {
        CompletableFuture<BlockStatus> flushed = new CompletableFuture<>();
        device.loop()
                .execute(() -> {
                    if (drive instanceof OpticalDrive burner && burner.discOperation() != null) {
                        flushed.complete(BlockStatus.OK);
                    } else {
                        flush(flushed);
                    }
                });
        return flushed;
    }

    private void flush(CompletableFuture<BlockStatus> flushed) {
        BlockRequest request =
                new BlockRequest((ended, _) -> flushed.complete(ended.status()))
                        .prepare(BlockOperation.FLUSH, 0, 0, 0);
        if (device.publish(request, Submitter.thatNeedsNoNews())) {
            device.run();
        } else {
            flushed.complete(BlockStatus.SHUTDOWN);
        }
    }
}
