package dev.spindle.nbd;

import org.jspecify.annotations.Nullable;

/** How replies look on the wire; chosen by the handshake, once for a session. */
interface ReplyEncoder {
    /** All went well, and there is nothing more to say. */
    void done(ReplyBatch out, @Nullable NbdCommand command, long cookie, long offsetBytes);

    /**
     * It failed.
     *
     * @param failedOffsetBytes where, or {@link dev.spindle.block.BlockRequest#UNKNOWN_OFFSET}
     * @param text for people
     */
    void failed(
            ReplyBatch out,
            long cookie,
            long offsetBytes,
            NbdError error,
            long failedOffsetBytes,
            String text);

    /** The reply to a READ that went well; its data is in its buffer or in the device's memory. */
    void data(ReplyBatch out, NbdRequest read);

    /** What a READ brought before its bad place; {@link #failed} follows. */
    void dataBefore(ReplyBatch out, NbdRequest read, long failedOffsetBytes);

    /** The reply to a BLOCK_STATUS that went well. */
    void extents(ReplyBatch out, NbdRequest status);
}
