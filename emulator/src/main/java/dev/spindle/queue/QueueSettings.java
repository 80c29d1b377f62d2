package dev.spindle.queue;

import dev.spindle.block.CongestionMarks;
import dev.spindle.queue.elevator.ElevatorSettings;

/**
 * The tunables of a queue, named as in /sys/block/NAME/queue.
 *
 * @param nrRequests free requests of each direction
 * @param maxSectorsKb the most one command moves, in KiB
 * @param hardCap nobody takes more than 3/2 nr_requests (Linux 2.6.13 on)
 * @param marks when a direction counts as congested
 * @param wake whom a freed request wakes
 * @param plug whether a first request waits for company
 * @param elevator in which order commands go to the drive
 */
public record QueueSettings(
        int nrRequests,
        int maxSectorsKb,
        boolean hardCap,
        CongestionMarks marks,
        WakePolicy wake,
        PlugSettings plug,
        ElevatorSettings elevator) {
    public static final int MIN_NR_REQUESTS = 4;
    public static final int MIN_MAX_SECTORS_KB = 4;

    public QueueSettings {
        if (nrRequests < MIN_NR_REQUESTS) {
            throw new IllegalArgumentException(
                    "nr_requests=" + nrRequests + " is less than " + MIN_NR_REQUESTS);
        }
        if (maxSectorsKb < MIN_MAX_SECTORS_KB) {
            throw new IllegalArgumentException(
                    "max_sectors_kb=" + maxSectorsKb + " is less than " + MIN_MAX_SECTORS_KB);
        }
    }

    /** First come, first served: noop, plugged within a batch only. */
    public QueueSettings(int nrRequests, int maxSectorsKb, boolean hardCap, CongestionMarks marks) {
        this(
                nrRequests,
                maxSectorsKb,
                hardCap,
                marks,
                WakePolicy.FIRST_COME,
                PlugSettings.BATCH_ONLY,
                new ElevatorSettings.Noop());
    }

    public static QueueSettings of(int nrRequests, int maxSectorsKb) {
        return new QueueSettings(
                nrRequests, maxSectorsKb, true, CongestionMarks.ofRequests(nrRequests));
    }

    public QueueSettings with(ElevatorSettings newElevator) {
        return new QueueSettings(nrRequests, maxSectorsKb, hardCap, marks, wake, plug, newElevator);
    }

    public QueueSettings with(PlugSettings newPlug) {
        return new QueueSettings(nrRequests, maxSectorsKb, hardCap, marks, wake, newPlug, elevator);
    }

    public QueueSettings with(WakePolicy newWake) {
        return new QueueSettings(nrRequests, maxSectorsKb, hardCap, marks, newWake, plug, elevator);
    }

    long maxSectors() {
        return 2L * maxSectorsKb;
    }
}
