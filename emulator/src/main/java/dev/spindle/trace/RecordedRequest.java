package dev.spindle.trace;

import dev.spindle.block.BlockOperation;

/**
 * A request as somebody once made it.
 *
 * @param timeNs when, from the trace's first request on
 * @param lengthBytes 0 for a FLUSH
 * @param endedNs when it ended; {@link #UNKNOWN} where the trace does not say
 */
public record RecordedRequest(
        long timeNs,
        BlockOperation operation,
        long offsetBytes,
        long lengthBytes,
        boolean isFua,
        boolean isReadAhead,
        long endedNs) {
    public static final long UNKNOWN = -1;

    /** One whose end is not known. */
    public RecordedRequest(
            long timeNs, BlockOperation operation, long offsetBytes, long lengthBytes) {
        this(timeNs, operation, offsetBytes, lengthBytes, false, false, UNKNOWN);
    }

    RecordedRequest endedAt(long newEndedNs) {
        return new RecordedRequest(
                timeNs, operation, offsetBytes, lengthBytes, isFua, isReadAhead, newEndedNs);
    }

    public boolean isEndKnown() {
        return endedNs != UNKNOWN;
    }

    public long endBytes() {
        return offsetBytes + lengthBytes;
    }
}
