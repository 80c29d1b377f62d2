package dev.spindle.queue;

import dev.spindle.block.CongestionMarks;

/**
 * The tunables of a queue, named as in /sys/block/NAME/queue.
 *
 * @param nrRequests free requests of each direction
 * @param maxSectorsKb the most one command moves, in KiB
 * @param hardCap nobody takes more than 3/2 nr_requests (Linux 2.6.13 on)
 * @param marks when a direction counts as congested
 */
public record QueueSettings(
        int nrRequests, int maxSectorsKb, boolean hardCap, CongestionMarks marks) {
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

    public static QueueSettings of(int nrRequests, int maxSectorsKb) {
        return new QueueSettings(
                nrRequests, maxSectorsKb, true, CongestionMarks.ofRequests(nrRequests));
    }

    long maxSectors() {
        return 2L * maxSectorsKb;
    }
}
