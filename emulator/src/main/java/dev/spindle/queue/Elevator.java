package dev.spindle.queue;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * Holds the commands that wait for the drive and chooses the next one. Owned by the loop that owns
 * the device.
 */
interface Elevator {
    /**
     * Joins a part to a waiting command that it follows or precedes, if both together keep within
     * {@code maxSectors}; false when there is none.
     */
    boolean merge(RequestPart part, long maxSectors);

    void add(DriveCommand command);

    @Nullable DriveCommand next();

    int size();
}
