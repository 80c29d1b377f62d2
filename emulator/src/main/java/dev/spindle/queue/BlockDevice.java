package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
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
     * False, and nothing taken, when the ring is full: see {@link #awaitRoom}.
     */
    boolean publish(BlockRequest request, Submitter submitter);

    /**
     * On the owning loop: to be told once, on it, when the ring has been emptied next. Whoever
     * found it full and asks for this misses nothing.
     */
    void awaitRoom(Runnable told);

    /** True where a submitter waits for one of nr_requests; see {@link Admission}. */
    default boolean hasPool() {
        return true;
    }

    /**
     * True where a WRITE_ZEROES that may deallocate takes less time than a WRITE of as much,
     * wherever it goes.
     */
    boolean zeroesFast();

    /**
     * On the owning loop: asks which parts of a range within the device are holes, which read as
     * zeroes. The list is filled until it is full or the range covered; its last extent goes as far
     * as it does. The drive is not asked, so it takes none of its time; the listener is told on the
     * owning loop, perhaps before this returns.
     */
    void findExtents(long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener);

    /**
     * One turn on the owning loop: takes what the ring holds, moves the drive on to now, completes
     * what is due. A front end on that loop calls it once after publishing a batch; elsewhere
     * publish wakes the loop by itself.
     */
    void run();
}
