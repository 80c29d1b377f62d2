package dev.spindle.block;

/**
 * Told, on the loop that owns the device, that a request has ended; the only way anything travels
 * upwards.
 */
@FunctionalInterface
public interface CompletionListener {
    /**
     * The request's status and times are set; from here on it belongs to the listener again. Must
     * not throw.
     */
    void completed(BlockRequest request, long nowNs);
}
