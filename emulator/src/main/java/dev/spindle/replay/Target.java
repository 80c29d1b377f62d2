package dev.spindle.replay;

import dev.spindle.queue.RequestMachine;
import dev.spindle.queue.RequestQueue;

/**
 * The device that is replayed on, with nobody else on it and its time not yet begun.
 *
 * @param top takes the requests
 * @param queue in front of the drive; the same where nothing is stacked on it
 */
public record Target(
        RequestMachine top, RequestQueue queue, long capacityBytes, int logicalBlockBytes) {
    boolean isStacked() {
        return top != queue;
    }
}
