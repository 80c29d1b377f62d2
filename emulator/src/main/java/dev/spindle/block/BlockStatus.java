package dev.spindle.block;

/** How a request ended. Front ends map each to their own error numbers, in one table. */
public enum BlockStatus {
    OK,
    /** The medium or the store beneath it failed. */
    IO_ERROR,
    /** A write reaches past the end of the device, or the store has no room. */
    NO_SPACE,
    /** The device takes no writes. */
    READ_ONLY,
    /** The request makes no sense to the device: alignment, range, length. */
    INVALID,
    /** The device cannot do this operation at all. */
    NOT_SUPPORTED,
    /** Read-ahead, and no request free: better not done than waited for. */
    WOULD_BLOCK,
    /** The device is being taken down. */
    SHUTDOWN
}
