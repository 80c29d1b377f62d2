package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DriveCommand;

/**
 * Told of each step that requests take through a queue, where and in the order the kernel's block
 * layer has its trace points (include/trace/events/block.h; block/ll_rw_blk.c of Linux 2.6). Called
 * on the loop that owns the device: it must neither block nor throw nor change what it is shown.
 */
public interface QueueListener {
    /**
     * A request, or that part of it, has taken a step.
     *
     * @param offsetBytes where the part begins on the device
     */
    void bio(
            BioStep step,
            BlockRequest request,
            long offsetBytes,
            long lengthBytes,
            Submitter submitter,
            long atNs);

    /** A command has taken a step. */
    void command(CommandStep step, DriveCommand command, long atNs);

    /**
     * The queue's plug has been put in or pulled.
     *
     * @param commands that wait behind it
     * @param submitterId on whose account; 0 for nobody's
     */
    void plug(PlugStep step, int commands, int submitterId, long atNs);
}
