package dev.spindle.daemon;

import dev.spindle.block.BlockStatus;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import dev.spindle.media.BackingStore;
import dev.spindle.media.Extents;
import dev.spindle.queue.StoreView;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A device's store as its device shows it. One that may block is asked on its own thread, behind
 * the commands that were begun before.
 */
record OpenStoreView(
        BackingStore store, @Nullable Executor storeThread, Executor loop, boolean zeroesFast)
        implements StoreView {
    @Override
    public @Nullable DirectMemory directMemory() {
        return store.directMemory();
    }

    @Override
    public void findExtents(
            long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener) {
        if (storeThread == null) {
            listener.found(into, find(offsetBytes, lengthBytes, into));
            return;
        }
        storeThread.execute(() -> {
            BlockStatus status = find(offsetBytes, lengthBytes, into);
            loop.execute(() -> listener.found(into, status));
        });
    }

    private BlockStatus find(long offsetBytes, long lengthBytes, ExtentList into) {
        try {
            Extents.find(store, offsetBytes, lengthBytes, into);
            return BlockStatus.OK;
        } catch (IOException e) {
            return BlockStatus.IO_ERROR;
        }
    }
}
