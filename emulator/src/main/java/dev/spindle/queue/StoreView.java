package dev.spindle.queue;

import dev.spindle.block.BlockStatus;
import dev.spindle.block.DirectMemory;
import dev.spindle.block.ExtentList;
import dev.spindle.block.ExtentsListener;
import org.jspecify.annotations.Nullable;

/** What a device lets be seen of its store past the drive. Used on the owning loop. */
public interface StoreView {
    /** See {@link BlockDevice#directMemory}. */
    @Nullable DirectMemory directMemory();

    /** See {@link BlockDevice#zeroesFast}. */
    boolean zeroesFast();

    /** See {@link BlockDevice#findExtents}. */
    void findExtents(long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener);

    /** Shows nothing: every byte counts as data. */
    static StoreView opaque() {
        return new StoreView() {
            @Override
            public @Nullable DirectMemory directMemory() {
                return null;
            }

            @Override
            public boolean zeroesFast() {
                return false;
            }

            @Override
            public void findExtents(
                    long offsetBytes, long lengthBytes, ExtentList into, ExtentsListener listener) {
                into.add(false, lengthBytes);
                listener.found(into, BlockStatus.OK);
            }
        };
    }
}
