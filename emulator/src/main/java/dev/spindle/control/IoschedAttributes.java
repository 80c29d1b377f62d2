package dev.spindle.control;

import dev.spindle.config.ElevatorKind;
import dev.spindle.config.ElevatorTunables;
import dev.spindle.config.Tunable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The files of /sys/block/NAME/queue/iosched: the tunables of the elevator in force, times in
 * milliseconds. A number out of range becomes the nearest within, as block/mq-deadline.c has it.
 */
final class IoschedAttributes {
    static final String FOLDER = "queue/iosched/";

    private static final long NS_PER_MS = 1_000_000;

    private IoschedAttributes() {}

    static List<Attribute> of(ElevatorKind kind) {
        String prefix = "queue/" + kind.name().toLowerCase(Locale.ROOT) + '/';
        return ElevatorTunables.all().stream()
                .filter(tunable -> tunable.path().startsWith(prefix))
                .map(tunable -> of(tunable, tunable.path().substring(prefix.length())))
                .toList();
    }

    private static Attribute of(Tunable tunable, String name) {
        long unit = tunable.isTime() ? NS_PER_MS : 1;
        return Attribute.tunable(
                FOLDER + name,
                (device, _) -> Long.toString(device.queue().elevators().value(tunable) / unit),
                (device, text) ->
                        device.apply(
                                Map.of(
                                        tunable,
                                        tunable.nearest(KernelNumbers.signed(text) * unit))));
    }
}
