package dev.spindle.queue;

import java.util.concurrent.Executor;

/**
 * The event loop that owns a device, as the device sees it. Tasks given to {@link #execute} run on
 * it, in order.
 */
public interface OwningLoop extends Executor {
    /** True on the loop's own thread. */
    boolean isInside();

    /**
     * From the loop only: runs the device's task at that time of the device's clock, in place of
     * any time asked for before; {@link dev.spindle.time.DeviceClock#NEVER} asks for none.
     */
    void runAt(long deadlineNs, Runnable task);
}
