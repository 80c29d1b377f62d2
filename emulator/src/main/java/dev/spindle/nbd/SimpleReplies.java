package dev.spindle.nbd;

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
    static final int MAGIC = 0x67446698;
    static final int HEADER_BYTES = 16;

    @Override
    public void status(ReplyBatch out, long cookie, NbdError error) {
        out.room(HEADER_BYTES).writeInt(MAGIC).writeInt(error.code()).writeLong(cookie);
    }

    @Override
    public void data(ReplyBatch out, NbdRequest read) {
        status(out, read.cookie(), NbdError.NONE);
        out.data(read);
    }
}
