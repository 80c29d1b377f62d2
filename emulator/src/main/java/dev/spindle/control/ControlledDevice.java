package dev.spindle.control;

import dev.spindle.config.ConfigException;
import dev.spindle.config.DeviceConfig;
import dev.spindle.config.DiscConfig;
import dev.spindle.config.DiskDriveConfig;
import dev.spindle.config.ElevatorKind;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.config.PacketConfig;
import dev.spindle.config.QueueConfig;
import dev.spindle.config.Tunable;
import dev.spindle.config.TunableValue;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.time.TimeScale;
import dev.spindle.trace.TraceReport;
import dev.spindle.trace.TraceSwitch;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A device as control reaches it. Any thread may ask; settings are read and changed on the loop
 * that owns the device, which therefore never sees half a change.
 */
public final class ControlledDevice {
    /**
     * Who else must know of a change; called on the loop.
     *
     * @param onTuned takes the queue's new settings
     * @param onScaled takes its time's new rate, in thousandths of the wall's
     */
    public record Told(Consumer<QueueSettings> onTuned, IntConsumer onScaled) {}

    private final DeviceConfig config;
    private final QueuedDevice device;
    private final List<String> addresses;
    private final Told told;
    private final Supplier<CompletableFuture<Long>> allocatedBytes;
    private final TraceSwitch trace;

    private final Optional<PacketControl> packet;
    private final Optional<DiscControl> disc;
    private final Optional<ScsiControl> scsi;

    /** Changed on the device's loop alone. */
    private volatile QueueConfig queue;

    /**
     * Not yet reachable: for that a desk needs it.
     *
     * @param burner the drive, where it is one
     * @param addresses where NBD clients find it
     * @param told of what has been changed
     * @param allocatedBytes asks the store, on the thread that owns it
     * @param trace turns its trace on and off
     */
    public ControlledDevice(
            DeviceConfig config,
            QueuedDevice device,
            Optional<OpticalDrive> burner,
            List<String> addresses,
            Told told,
            Supplier<CompletableFuture<Long>> allocatedBytes,
            TraceSwitch trace) {
        this.config = config;
        this.device = device;
        this.addresses = List.copyOf(addresses);
        this.told = told;
        this.allocatedBytes = allocatedBytes;
        this.trace = trace;
        queue = config.queue();
        packet = packet(config, device);
        disc = disc(config, device, burner);
        scsi = burner.map(drive -> new ScsiControl(config, device, drive));
    }

    private static Optional<PacketControl> packet(DeviceConfig config, QueuedDevice device) {
        Optional<PacketConfig> writer = config.disc().flatMap(DiscConfig::writer);
        return device.machine() instanceof PacketWriter machine
                ? writer.map(settings -> new PacketControl(device, machine, settings))
                : Optional.empty();
    }

    private static Optional<DiscControl> disc(
            DeviceConfig config, QueuedDevice device, Optional<OpticalDrive> burner) {
        return config.drive() instanceof OpticalDriveConfig optical
                ? burner.map(drive -> new DiscControl(optical, device, drive))
                : Optional.empty();
    }

    public String name() {
        return device.name();
    }

    /**
     * Checks all settings, then applies them together; completes with all settings as they then
     * are, or with a {@link ConfigException}.
     */
    CompletableFuture<Map<String, Object>> tune(Map<String, String> settings) {
        Map<Tunable, TunableValue> values = parse(settings);
        return CompletableFuture.supplyAsync(() -> apply(values), device.loop());
    }

    private Map<Tunable, TunableValue> parse(Map<String, String> settings) {
        Map<Tunable, TunableValue> values = new EnumMap<>(Tunable.class);
        settings.forEach((key, text) -> {
            Tunable tunable = Tunable.of(key);
            if (tunable.isOfPacketWriter() && packet.isEmpty()) {
                throw new ConfigException(tunable.path() + ": " + name() + " has no packet writer");
            }
            if (isOfCache(tunable) && !(config.drive() instanceof DiskDriveConfig)) {
                throw new ConfigException(
                        tunable.path()
                                + ": the drive of "
                                + name()
                                + " ("
                                + config.drive().profile()
                                + ") has no cache");
            }
            TunableValue value = tunable.parse(text);
            if (tunable == Tunable.SPEED) {
                requireBurner(tunable.path()).check(tunable, value);
            }
            if (values.put(tunable, value) != null) {
                throw new ConfigException(tunable.path() + ": given twice");
            }
        });
        return values;
    }

    private DiscControl requireBurner(String what) {
        return disc.orElseThrow(() ->
                new ConfigException(
                        what
                                + ": the drive of "
                                + name()
                                + " ("
                                + config.drive().profile()
                                + ") is no burner"));
    }

    /** Begins an operation on the disc as a whole; completes with how long it takes. */
    CompletableFuture<Map<String, Object>> operate(String operation) {
        DiscControl burner = requireBurner("disc");
        return CompletableFuture.supplyAsync(() -> burner.begin(operation), device.loop());
    }

    /** A command in the drive's own language; completes when the drive has ended it. */
    CompletableFuture<Map<String, Object>> carryOut(ControlRequest.Scsi request) {
        requireBurner("scsi");
        return scsi.orElseThrow().carryOut(request);
    }

    private static boolean isOfCache(Tunable tunable) {
        return tunable == Tunable.READ_AHEAD || tunable == Tunable.WRITE_BACK;
    }

    DeviceConfig config() {
        return config;
    }

    QueuedDevice queued() {
        return device;
    }

    /** On the device's loop. */
    QueueConfig queue() {
        return queue;
    }

    /** The I/O scheduler in force; any thread may ask. */
    public ElevatorKind elevator() {
        return queue.elevator();
    }

    boolean hasPacketWriter() {
        return packet.isPresent();
    }

    /** On the device's loop; only where it has one. */
    PacketControl packetWriter() {
        return packet.orElseThrow();
    }

    /** On the device's loop: all of them or, with a {@link ConfigException}, none. */
    Map<String, Object> apply(Map<Tunable, TunableValue> values) {
        QueueConfig tuned = queue.tuned(values, config.drive().maxHwSectorsKb());
        config.disc()
                .flatMap(disc -> disc.maxSectorsFault(tuned.maxSectorsKb()))
                .ifPresent(text -> {
                    throw new ConfigException(Tunable.MAX_SECTORS_KB.path() + ": " + text);
                });
        packet.ifPresent(writer -> writer.apply(values));
        disc.ifPresent(burner -> burner.apply(values));
        DriveSettings before = device.queue().driveSettings();
        device.apply(
                new DriveSettings(
                        switched(values, Tunable.READ_AHEAD, before.readAhead()),
                        switched(values, Tunable.WRITE_BACK, before.writeBack())));
        scale(values);
        if (!tuned.equals(queue)) {
            queue = tuned;
            QueueSettings settings = QueueMapping.settings(tuned);
            told.onTuned.accept(settings);
            device.apply(settings);
        }
        return settings();
    }

    private void scale(Map<Tunable, TunableValue> values) {
        if (values.get(Tunable.TIME_SCALE) instanceof TunableValue.Real(double factor)) {
            TimeScale scale = TimeScale.of(factor);
            device.scale(scale);
            told.onScaled.accept(scale.thousandths());
        }
    }

    private static boolean switched(
            Map<Tunable, TunableValue> values, Tunable tunable, boolean before) {
        return values.get(tunable) instanceof TunableValue.Switch(boolean isOn) ? isOn : before;
    }

    /** Completes when the trace runs. */
    CompletableFuture<Map<String, Object>> startTrace(Path output) {
        return trace.start(output).thenApply(ControlledDevice::fields);
    }

    /** Completes when all of it has been written. */
    CompletableFuture<Map<String, Object>> stopTrace() {
        return trace.stop().thenApply(ControlledDevice::fields);
    }

    private static Map<String, Object> fields(TraceReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("file", report.path().toString());
        fields.put("records", report.records());
        fields.put("dropped", report.dropped());
        report.fault().ifPresent(why -> fields.put("fault", why));
        return fields;
    }

    /** What list shows; any thread may ask. */
    Map<String, Object> identity() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name());
        fields.put("description", device.description());
        fields.put("path", config.path());
        fields.put("capacity_bytes", device.capacityBytes());
        fields.put("logical_block_bytes", device.limits().logicalBlockBytes());
        fields.put("max_hw_sectors_kb", device.limits().maxHwSectorsKb());
        fields.put("read_only", device.isReadOnly());
        fields.put("rotational", device.isRotational());
        fields.put("addresses", addresses);
        return fields;
    }

    CompletableFuture<Map<String, Object>> stat() {
        return CompletableFuture.supplyAsync(this::statOnLoop, device.loop())
                .thenCombine(
                        allocatedBytes.get(),
                        (fields, bytes) -> {
                            fields.put("allocated_bytes", bytes);
                            return fields;
                        });
    }

    /** Makes the packet writer's statistics zero; completes with what stat then shows. */
    CompletableFuture<Map<String, Object>> resetStatistics() {
        PacketControl writer =
                packet.orElseThrow(() ->
                        new ConfigException("stat/reset: " + name() + " has no packet writer"));
        return CompletableFuture.runAsync(writer::reset, device.loop()).thenCompose(_ -> stat());
    }

    private Map<String, Object> statOnLoop() {
        Map<String, Object> fields = identity();
        fields.put("settings", settings());
        fields.put("time_scale", device.clock().scale().factor());
        fields.put("device_time_s", device.clock().nowNs() / 1e9);
        fields.put("state", StatFields.state(device.queue()));
        fields.put("counters", StatFields.counters(device.machine().counters()));
        fields.put("latencies_us", StatFields.latencies(device.machine().latencies()));
        disc.ifPresent(burner -> fields.put("disc", burner.stat()));
        packet.ifPresent(writer -> fields.put("packet", writer.stat()));
        trace.report().ifPresent(report -> fields.put("trace", fields(report)));
        return fields;
    }

    private Map<String, Object> settings() {
        DriveSettings drive = device.queue().driveSettings();
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Tunable tunable : Tunable.values()) {
            if (!tunable.isOfPacketWriter() && tunable != Tunable.SPEED) {
                fields.put(tunable.path(), setting(tunable, drive));
            }
        }
        disc.ifPresent(burner -> fields.put(Tunable.SPEED.path(), burner.speed()));
        packet.ifPresent(writer -> fields.putAll(writer.settings()));
        return fields;
    }

    private Object setting(Tunable tunable, DriveSettings drive) {
        return switch (tunable) {
            case NR_REQUESTS -> queue.nrRequests();
            case MAX_SECTORS_KB -> queue.maxSectorsKb();
            case HARD_CAP -> onOff(queue.hardCap());
            case CONGESTION_ON -> orAuto(queue.congestionOn());
            case CONGESTION_OFF -> orAuto(queue.congestionOff());
            case ELEVATOR -> queue.elevator().name().toLowerCase(Locale.ROOT);
            case READ_AHEAD -> onOff(drive.readAhead());
            case WRITE_BACK -> onOff(drive.writeBack());
            case WAKE_ORDER -> queue.wake().order().name().toLowerCase(Locale.ROOT);
            case WAKE_SEED -> queue.wake().seed();
            case PLUG -> onOff(queue.plug().isOn());
            case UNPLUG_THRESHOLD -> queue.plug().threshold();
            case TIME_SCALE -> tunable.shown(device.clock().scale().factor());
            case UNPLUG_DELAY -> tunable.shown(queue.plug().delayNs());
            // All that is left belongs to an elevator, and has a value or this throws.
            default -> tunable.shown(queue.elevators().value(tunable));
        };
    }

    private static String onOff(boolean isOn) {
        return isOn ? "on" : "off";
    }

    private static Object orAuto(OptionalInt mark) {
        return mark.isPresent() ? (Object) mark.getAsInt() : "auto";
    }
}
