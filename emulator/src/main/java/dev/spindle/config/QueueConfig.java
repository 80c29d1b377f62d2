package dev.spindle.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A device's request queue, already merged: the device's own keys over its drive profile's over the
 * defaults.
 *
 * @param hardCap refuse even a batcher at 3/2 nr_requests, as Linux does from 2.6.13 on
 * @param congestionOn empty for the kernel's formula from nr_requests. A mark left to the formula
 *     gives way to one that is set: on = max(formula, off), off = min(formula, on)
 * @param congestionOff likewise
 * @param wake whom a freed request wakes
 * @param plug whether a first request waits for company
 * @param elevators the tunables of all elevators
 * @param ringSize slots of the ring that carries requests to the device's loop; a power of two
 */
public record QueueConfig(
        int nrRequests,
        int maxSectorsKb,
        ElevatorKind elevator,
        boolean hardCap,
        OptionalInt congestionOn,
        OptionalInt congestionOff,
        WakeConfig wake,
        PlugConfig plug,
        ElevatorTunables elevators,
        int ringSize) {
    public QueueConfig {
        Checks.requireRange("nr_requests", nrRequests, 4, 65536);
        Checks.require(Integer.bitCount(ringSize) == 1, "ring_size is no power of two");
        Checks.require(
                congestionOff.isEmpty()
                        || congestionOn.isEmpty()
                        || congestionOff.getAsInt() <= congestionOn.getAsInt(),
                "congestion_off is more than congestion_on");
    }

    /**
     * With values changed, checked together once all are set; a {@link ConfigException} with every
     * fault where they clash with one another or with what the drive's controller can move. Values
     * for the drive change nothing here.
     */
    public QueueConfig tuned(Map<Tunable, TunableValue> values, int maxHwSectorsKb) {
        QueueDraft draft = new QueueDraft(this);
        values.forEach(draft::set);
        List<String> faults = new ArrayList<>();
        for (Tunable tunable : values.keySet()) {
            draft.fault(tunable, maxHwSectorsKb)
                    .ifPresent(text -> faults.add(tunable.path() + ": " + text));
        }
        if (!faults.isEmpty()) {
            throw new ConfigException(faults);
        }
        return draft.build();
    }

    /** With one value changed. */
    public QueueConfig tuned(Tunable tunable, TunableValue value, int maxHwSectorsKb) {
        return tuned(Map.of(tunable, value), maxHwSectorsKb);
    }
}
