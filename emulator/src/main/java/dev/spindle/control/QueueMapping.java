package dev.spindle.control;

import dev.spindle.block.CongestionMarks;
import dev.spindle.config.ElevatorKind;
import dev.spindle.config.ElevatorTunables;
import dev.spindle.config.PlugConfig;
import dev.spindle.config.QueueConfig;
import dev.spindle.config.Tunable;
import dev.spindle.config.WakeConfig;
import dev.spindle.queue.PlugSettings;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.WakePolicy;
import dev.spindle.queue.elevator.ElevatorSettings;

/** From what people write about a queue to what the queue works with. */
public final class QueueMapping {
    private QueueMapping() {}

    /**
     * A mark left to the kernel's formula gives way to one that is set: on = max(formula, off), off
     * = min(formula, on).
     */
    public static QueueSettings settings(QueueConfig config) {
        CongestionMarks formula = CongestionMarks.ofRequests(config.nrRequests());
        int on =
                config.congestionOn()
                        .orElse(Math.max(formula.on(), config.congestionOff().orElse(0)));
        int off = config.congestionOff().orElse(Math.min(formula.off(), on));
        return new QueueSettings(
                config.nrRequests(),
                config.maxSectorsKb(),
                config.hardCap(),
                new CongestionMarks(on, off),
                wake(config.wake()),
                plug(config.plug()),
                elevator(config.elevator(), config.elevators()));
    }

    private static WakePolicy wake(WakeConfig config) {
        WakePolicy.Order order =
                switch (config.order()) {
                    case FIFO -> WakePolicy.Order.FIFO;
                    case LIFO -> WakePolicy.Order.LIFO;
                    case RANDOM -> WakePolicy.Order.RANDOM;
                };
        return new WakePolicy(order, config.seed());
    }

    private static PlugSettings plug(PlugConfig config) {
        return new PlugSettings(config.isOn(), config.threshold(), config.delayNs());
    }

    private static ElevatorSettings elevator(ElevatorKind kind, ElevatorTunables values) {
        return switch (kind) {
            case NOOP -> new ElevatorSettings.Noop();
            case DEADLINE ->
                    new ElevatorSettings.Deadline(
                            values.value(Tunable.DEADLINE_READ_EXPIRE),
                            values.value(Tunable.DEADLINE_WRITE_EXPIRE),
                            values.count(Tunable.WRITES_STARVED),
                            values.count(Tunable.FIFO_BATCH));
            case ANTICIPATORY ->
                    new ElevatorSettings.Anticipatory(
                            values.value(Tunable.AS_READ_EXPIRE),
                            values.value(Tunable.AS_WRITE_EXPIRE),
                            values.value(Tunable.READ_BATCH_EXPIRE),
                            values.value(Tunable.WRITE_BATCH_EXPIRE),
                            values.value(Tunable.ANTIC_EXPIRE));
            case CFQ ->
                    new ElevatorSettings.Cfq(
                            values.count(Tunable.QUANTUM),
                            values.count(Tunable.QUEUED),
                            values.value(Tunable.CFQ_READ_EXPIRE),
                            values.value(Tunable.CFQ_WRITE_EXPIRE),
                            values.count(Tunable.BACK_SEEK_MAX),
                            values.count(Tunable.BACK_SEEK_PENALTY));
        };
    }
}
