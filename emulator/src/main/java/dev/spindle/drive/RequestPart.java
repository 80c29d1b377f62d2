package dev.spindle.drive;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a block request that fits into one command. Parts are reused; they are chained
 * within their command.
 */
public final class RequestPart {
    private @Nullable BlockRequest request;
    private long offsetBytes;
    private long lengthBytes;
    private BlockStatus status = BlockStatus.OK;
    private long failedOffsetBytes = BlockRequest.UNKNOWN_OFFSET;
    @Nullable RequestPart next;

    public RequestPart set(BlockRequest request, long offsetBytes, long lengthBytes) {
        this.request = request;
        this.offsetBytes = offsetBytes;
        this.lengthBytes = lengthBytes;
        next = null;
        ended(BlockStatus.OK, BlockRequest.UNKNOWN_OFFSET);
        return this;
    }

    /** Forgets its request, so that a free part holds on to nothing. */
    public void clear() {
        request = null;
        next = null;
    }

    public BlockRequest request() {
        assert request != null;
        return request;
    }

    /** From the start of the device. */
    public long offsetBytes() {
        return offsetBytes;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** Where this part's data begins in the request's buffer. */
    public int dataIndex() {
        return request().dataIndex() + (int) (offsetBytes - request().offsetBytes());
    }

    /** How it went, and where it failed if that is known. */
    void ended(BlockStatus partStatus, long partFailedOffsetBytes) {
        status = partStatus;
        failedOffsetBytes = partFailedOffsetBytes;
    }

    /** Its own outcome: a command of several parts may fail in one of them alone. */
    public BlockStatus status() {
        return status;
    }

    public long failedOffsetBytes() {
        return failedOffsetBytes;
    }

    public @Nullable RequestPart next() {
        return next;
    }
}
