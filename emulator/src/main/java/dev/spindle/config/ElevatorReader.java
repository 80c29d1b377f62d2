package dev.spindle.config;

import java.util.EnumMap;
import java.util.Map;

/** Reads what a {@code queue} says about its elevators, its plug and its wake order. */
final class ElevatorReader {
    private ElevatorReader() {}

    static void checkAlone(Section queue) {
        queue.find(ElevatorKeys.WAKE_ORDER);
        queue.find(ElevatorKeys.WAKE_SEED);
        queue.find(ElevatorKeys.PLUG);
        queue.find(ElevatorKeys.UNPLUG_THRESHOLD);
        queue.find(ElevatorKeys.UNPLUG_DELAY);
        Map<String, Section> children = children(queue);
        for (Tunable tunable : ElevatorTunables.all()) {
            child(children, tunable).find(tunable.key());
        }
    }

    static WakeConfig wake(Section queue, Section behind) {
        return new WakeConfig(
                queue.readBehind(ElevatorKeys.WAKE_ORDER, behind),
                queue.readBehind(ElevatorKeys.WAKE_SEED, behind));
    }

    static PlugConfig plug(Section queue, Section behind) {
        return new PlugConfig(
                queue.readBehind(ElevatorKeys.PLUG, behind),
                queue.readBehind(ElevatorKeys.UNPLUG_THRESHOLD, behind),
                queue.readBehind(ElevatorKeys.UNPLUG_DELAY, behind));
    }

    static ElevatorTunables tunables(Section queue, Section behind) {
        Map<String, Section> own = children(queue);
        Map<String, Section> others = children(behind);
        EnumMap<Tunable, Long> values = new EnumMap<>(Tunable.class);
        for (Tunable tunable : ElevatorTunables.all()) {
            Object value = child(own, tunable).readBehind(tunable.key(), child(others, tunable));
            values.put(tunable, ElevatorTunables.number(value));
        }
        return new ElevatorTunables(values);
    }

    /** Each made once, or a fault in it would be told twice. */
    private static Map<String, Section> children(Section queue) {
        return Map.of(
                ElevatorKeys.DEADLINE, queue.child("deadline"),
                ElevatorKeys.ANTICIPATORY, queue.child("anticipatory"),
                ElevatorKeys.CFQ, queue.child("cfq"));
    }

    private static Section child(Map<String, Section> children, Tunable tunable) {
        Section section = children.get(tunable.key().section());
        if (section == null) {
            throw new IllegalStateException("no section of " + tunable);
        }
        return section;
    }
}
