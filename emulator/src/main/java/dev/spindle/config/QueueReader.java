package dev.spindle.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a device's {@code queue}, with its drive profile's behind it and the defaults behind both.
 */
final class QueueReader {
    private QueueReader() {}

    /** A profile's keys where no device uses it, and a device's where its drive has faults. */
    static void checkAlone(Section queue, int maxHwSectorsKb) {
        queue.find(Keys.NR_REQUESTS);
        Optional<Integer> maxSectorsKb = queue.find(Keys.MAX_SECTORS_KB);
        queue.find(Keys.ELEVATOR);
        queue.find(Keys.HARD_CAP);
        Optional<OptionalInt> on = queue.find(Keys.CONGESTION_ON);
        Optional<OptionalInt> off = queue.find(Keys.CONGESTION_OFF);
        ElevatorReader.checkAlone(queue);
        queue.find(Keys.RING_SIZE);
        maxSectorsKb
                .flatMap(kb -> maxSectorsFault(kb, maxHwSectorsKb))
                .ifPresent(text -> queue.problem(Keys.MAX_SECTORS_KB.name(), text));
        marksFault(on.orElse(OptionalInt.empty()), off.orElse(OptionalInt.empty()))
                .ifPresent(text -> queue.problem(Keys.CONGESTION_OFF.name(), text));
    }

    static Optional<QueueConfig> read(Section queue, Section behind, DriveConfig drive) {
        int before = queue.faults();
        int nrRequests = queue.readBehind(Keys.NR_REQUESTS, behind);
        int maxSectorsKb = queue.readBehind(Keys.MAX_SECTORS_KB, behind, drive.maxHwSectorsKb());
        ElevatorKind elevator = queue.readBehind(Keys.ELEVATOR, behind);
        boolean hardCap = queue.readBehind(Keys.HARD_CAP, behind);
        OptionalInt on = queue.readBehind(Keys.CONGESTION_ON, behind);
        OptionalInt off = queue.readBehind(Keys.CONGESTION_OFF, behind);
        WakeConfig wake = ElevatorReader.wake(queue, behind);
        PlugConfig plug = ElevatorReader.plug(queue, behind);
        ElevatorTunables elevators = ElevatorReader.tunables(queue, behind);
        int ringSize = queue.readBehind(Keys.RING_SIZE, behind);
        if (queue.faults() == before) {
            maxSectorsFault(maxSectorsKb, drive.maxHwSectorsKb())
                    .ifPresent(text -> place(queue, behind, Keys.MAX_SECTORS_KB, text));
            marksFault(on, off).ifPresent(text -> place(queue, behind, Keys.CONGESTION_OFF, text));
        }
        return queue.ifSound(
                before,
                () ->
                        new QueueConfig(
                                nrRequests,
                                maxSectorsKb,
                                elevator,
                                hardCap,
                                on,
                                off,
                                wake,
                                plug,
                                elevators,
                                ringSize));
    }

    private static void place(Section queue, Section behind, Key<?> key, String text) {
        Section written = queue.has(key.name()) || !behind.has(key.name()) ? queue : behind;
        queue.problemAt(written.place(key.name()), key.name(), text);
    }

    static Optional<String> maxSectorsFault(int maxSectorsKb, int maxHwSectorsKb) {
        return maxSectorsKb <= maxHwSectorsKb
                ? Optional.empty()
                : Optional.of(
                        maxSectorsKb
                                + " is more than the drive's max_hw_sectors_kb, allowed 4 to "
                                + maxHwSectorsKb);
    }

    static Optional<String> marksFault(OptionalInt on, OptionalInt off) {
        return on.isEmpty() || off.isEmpty() || off.getAsInt() <= on.getAsInt()
                ? Optional.empty()
                : Optional.of(
                        off.getAsInt()
                                + " is more than congestion_on, allowed auto or 1 to "
                                + on.getAsInt());
    }
}
