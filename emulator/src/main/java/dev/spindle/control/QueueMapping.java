package dev.spindle.control;

import dev.spindle.block.CongestionMarks;
import dev.spindle.config.QueueConfig;
import dev.spindle.queue.QueueSettings;

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
                new CongestionMarks(on, off));
    }
}
