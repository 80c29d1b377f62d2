package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.QueueLimits;
import org.jspecify.annotations.Nullable;

/** A device as front ends see it: what it is, and one way in. */
public interface BlockDevice {
    String name();

    /** One line for people: model, size, store. */
    String description();

    long capacityBytes();

    QueueLimits limits();

    boolean isReadOnly();

    boolean isRotational();

    /**
     * The device's memory, where a READ can be answered from it with no copy; null where a READ
     * needs a buffer of its own.
     */
    @Nullable DirectMemory directMemory();

    /**
     * Hands over a request that keeps the device's limits (range, alignment, read-only: checked by
     * the front end). Any thread may call; the submitter's requests are taken in the order given.
     * False, and nothing taken, when the ring is full: try again after a completion.
     */
    boolean publish(BlockRequest request, Submitter submitter);

    /**
     * One turn on the owning loop: takes what the ring holds, moves the drive on to now, completes
     * what is due. A front end on that loop calls it once after publishing a batch; elsewhere
     * publish wakes the loop by itself.
     */
    void run();
}
