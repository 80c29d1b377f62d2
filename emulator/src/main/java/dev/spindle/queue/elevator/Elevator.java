package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/**
 * Holds the commands that wait for the drive and chooses the next one. It may hold one back for a
 * while although the drive is free, and says then when to ask again.
 */
public interface Elevator {
    /**
     * Joins a part to a waiting command of its kind that it follows or precedes, if both together
     * keep within {@code maxSectors}; the command, or null when there is none.
     */
    @Nullable DriveCommand merge(RequestPart part, long maxSectors);

    /**
     * After a merge: makes the command and a neighbour it has grown up to one, if they keep within
     * {@code maxSectors}. What is returned has gone from here and has no parts left; null if
     * nothing has.
     */
    @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors);

    void add(DriveCommand command, long nowNs);

    /** The command to begin now; null if there is none or it is better to wait. */
    @Nullable DriveCommand next(long nowNs);

    /** The same, but null only when nothing waits. */
    @Nullable DriveCommand forceNext(long nowNs);

    /** A command taken from here has ended. */
    default void completed(DriveCommand command, long nowNs) {}

    /** When {@link #expire} is to be called; never, where only calls matter. */
    default long nextDeadlineNs() {
        return DeviceClock.NEVER;
    }

    /** The deadline has come. */
    default void expire(long nowNs) {}

    /**
     * True if a submitter that the pool would send to sleep is to have a request nevertheless
     * (elv_may_queue).
     */
    default boolean exempts(int submitterId, boolean isWrite, int nrRequests) {
        return false;
    }

    int size();
}
