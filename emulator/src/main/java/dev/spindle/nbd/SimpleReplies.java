package dev.spindle.nbd;

import org.jspecify.annotations.Nullable;

/**
 * Simple replies (proto.md, Simple reply message).
 *
 * <pre>
 *  offset  bytes
 *       0      4  0x67446698
 *       4      4  error, 0 for none
 *       8      8  cookie of the request
 *      16      .  to a READ without error: as many bytes as were asked for
 * </pre>
 */
final class SimpleReplies implements ReplyEncoder {
    private static final int MAGIC = 0x67446698;
    private static final int HEADER_BYTES = 16;

    static void write(ReplyBatch out, long cookie, NbdError error) {
        out.room(HEADER_BYTES).writeInt(MAGIC).writeInt(error.code()).writeLong(cookie);
    }

    @Override
    public void done(ReplyBatch out, @Nullable NbdCommand command, long cookie, long offsetBytes) {
        write(out, cookie, NbdError.NONE);
    }

    @Override
    public void failed(
            ReplyBatch out,
            long cookie,
            long offsetBytes,
            NbdError error,
            long failedOffsetBytes,
            String text) {
        write(out, cookie, error);
    }

    @Override
    public void data(ReplyBatch out, NbdRequest read) {
        write(out, read.cookie(), NbdError.NONE);
        out.data(read, 0, read.dataBytes());
    }

    @Override
    public void dataBefore(ReplyBatch out, NbdRequest read, long failedOffsetBytes) {
        // A simple reply brings all or nothing.
    }

    @Override
    public void extents(ReplyBatch out, NbdRequest status) {
        throw new IllegalStateException("BLOCK_STATUS without structured replies");
    }
}
