package dev.spindle.nbd;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import dev.spindle.block.QueueLimits;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device that has done everything as soon as it runs, and touches no data. */
final class InstantDevice implements BlockDevice {
    private final BlockRequest[] ring = new BlockRequest[1024];
    private final @Nullable DirectMemory memory;
    private int count;

    /** With the memory that READs are answered from; without it they have buffers of their own. */
    InstantDevice(@Nullable DirectMemory memory) {
        this.memory = memory;
    }

    @Override
    public String name() {
        return "instant";
    }

    @Override
    public String description() {
        return "";
    }

    @Override
    public long capacityBytes() {
        return 1L << 30;
    }

    @Override
    public QueueLimits limits() {
        return new QueueLimits(512, 4096, 32768, 128);
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public boolean isRotational() {
        return false;
    }

    @Override
    public @Nullable DirectMemory directMemory() {
        return memory;
    }

    @Override
    public boolean zeroesFast() {
        return true;
    }

    @Override
    public void findExtents(
            long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener) {
        into.add(false, lengthBytes);
        listener.found(into, BlockStatus.OK);
    }

    @Override
    public void awaitRoom(Runnable told) {
        throw new IllegalStateException("the ring is never full");
    }

    @Override
    public boolean publish(BlockRequest request, Submitter submitter) {
        ring[count] = request;
        count++;
        return true;
    }

    @Override
    public void run() {
        int last = count;
        count = 0;
        for (int i = 0; i < last; i++) {
            Objects.requireNonNull(ring[i]).complete(0);
        }
    }
}
