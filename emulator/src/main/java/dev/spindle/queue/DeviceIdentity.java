package dev.spindle.queue;

import dev.spindle.block.QueueLimits;

/**
 * What a device is, for those who look at it.
 *
 * @param name as exports, the command line and /dev know it
 * @param description one line: model, size, store
 */
public record DeviceIdentity(
        String name,
        String description,
        long capacityBytes,
        QueueLimits limits,
        boolean isReadOnly,
        boolean isRotational) {}
