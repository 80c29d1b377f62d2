package dev.spindle.control;

import dev.spindle.config.ConfigException;
import dev.spindle.config.OpticalDriveConfig;
import dev.spindle.config.Tunable;
import dev.spindle.config.TunableValue;
import dev.spindle.drive.optical.DiscOperation;
import dev.spindle.drive.optical.OpticalDrive;
import dev.spindle.packet.PacketWriter;
import dev.spindle.queue.QueueState;
import dev.spindle.queue.QueuedDevice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A burner and its disc as control reaches them. Belongs to the device's loop. */
final class DiscControl {
    private final OpticalDriveConfig config;
    private final QueuedDevice device;
    private final OpticalDrive burner;

    DiscControl(OpticalDriveConfig config, QueuedDevice device, OpticalDrive burner) {
        this.config = config;
        this.device = device;
        this.burner = burner;
    }

    /** What of these cannot be; of any thread. */
    void check(Tunable tunable, TunableValue value) {
        if (tunable == Tunable.SPEED
                && value instanceof TunableValue.Real(double speed)
                && !config.writeSpeeds().contains(speed)) {
            throw new ConfigException(
                    tunable.path()
                            + ": "
                            + tunable.shown(speed)
                            + " is no speed of "
                            + config.profile()
                            + ", allowed "
                            + config.writeSpeeds().stream()
                                    .map(tunable::shown)
                                    .collect(Collectors.joining(" ")));
        }
    }

    void apply(Map<Tunable, TunableValue> values) {
        if (values.get(Tunable.SPEED) instanceof TunableValue.Real(double speed)) {
            device.change(nowNs -> {
                device.machine().advance(nowNs);
                burner.setWriteSpeed(speed, nowNs);
                if (device.machine() instanceof PacketWriter writer) {
                    writer.setWriteSpeed(burner.writeKbPerSecond());
                }
            });
        }
    }

    String speed() {
        return Tunable.SPEED.shown(burner.writeSpeed());
    }

    /** Begins an operation on the whole disc; what was begun and how long it takes. */
    Map<String, Object> begin(String word) {
        DiscOperation operation = operation(word);
        Map<String, Object> fields = new LinkedHashMap<>();
        device.change(nowNs -> {
            device.machine().advance(nowNs);
            String refusal = isInUse() ? "it is being written or read" : burner.refusal(operation);
            if (!refusal.isEmpty()) {
                throw new ConfigException(device.name() + ": " + word + ": " + refusal);
            }
            long endNs = burner.begin(operation, nowNs);
            fields.put("operation", word);
            fields.put("takes_s", (endNs - nowNs) / 1e9);
        });
        return fields;
    }

    private static DiscOperation operation(String word) {
        return Arrays.stream(DiscOperation.values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new ConfigException(
                                word
                                        + " is nothing that can be done to a disc, allowed "
                                        + Arrays.stream(DiscOperation.values())
                                                .map(DiscOperation::word)
                                                .collect(Collectors.joining(", "))));
    }

    private boolean isInUse() {
        QueueState queue = device.queue().state();
        boolean isWriterBusy = device.machine() instanceof PacketWriter writer && writer.isBusy();
        return isWriterBusy || queue.readRequests() + queue.writeRequests() > 0;
    }

    Map<String, Object> stat() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", burner.discState().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        @Nullable DiscOperation operation = burner.discOperation();
        if (operation != null) {
            fields.put("operation", operation.word());
            fields.put("left_s", (burner.discOperationEndNs() - device.clock().nowNs()) / 1e9);
        }
        return fields;
    }
}
