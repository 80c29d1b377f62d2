package dev.spindle.block;

/** Told, on the loop that owns the device, where its holes are. */
@FunctionalInterface
public interface ExtentsListener {
    /**
     * The list is the listener's again; it holds nothing unless the status is OK. Must not throw.
     */
    void found(ExtentList extents, BlockStatus status);
}
