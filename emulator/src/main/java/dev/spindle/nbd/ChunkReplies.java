package dev.spindle.nbd;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.ExtentList;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Replies in chunks (proto.md, Structured reply types). Their payloads:
 *
 * <pre>
 *  OFFSET_DATA       8  offset     .  data
 *  OFFSET_HOLE       8  offset     4  length
 *  BLOCK_STATUS      4  context    8n  length and flags, 4 bytes each
 *  BLOCK_STATUS_EXT  4  context    4  n    16n  length and flags, 8 bytes each
 *  ERROR             4  error      2  m     m  text
 *  ERROR_OFFSET      4  error      2  m     m  text    8  offset
 * </pre>
 *
 * <p>With structured replies a request that brings no data and went well is answered by a simple
 * reply, which is shorter; only for a READ that is forbidden. With extended ones it always is.
 */
final class ChunkReplies implements ReplyEncoder {
    private static final int NONE = 0;
    private static final int OFFSET_DATA = 1;
    private static final int OFFSET_HOLE = 2;
    private static final int BLOCK_STATUS = 5;
    private static final int BLOCK_STATUS_EXT = 6;
    private static final int ERROR = 1 << 15 | 1;
    private static final int ERROR_OFFSET = 1 << 15 | 2;

    /** The most that fits into 32 bits in whole grains. */
    private static final long MAX_COMPACT_EXTENT_BYTES = 0xffff_f000L;

    private final ChunkHeader header;

    ChunkReplies(ChunkHeader header) {
        this.header = header;
    }

    @Override
    public void done(ReplyBatch out, @Nullable NbdCommand command, long cookie, long offsetBytes) {
        if (header == ChunkHeader.EXTENDED || command == NbdCommand.READ) {
            header.write(out.room(header.bytes()), true, NONE, cookie, offsetBytes, 0);
        } else {
            SimpleReplies.write(out, cookie, NbdError.NONE);
        }
    }

    @Override
    public void failed(
            ReplyBatch out,
            long cookie,
            long offsetBytes,
            NbdError error,
            long failedOffsetBytes,
            String text) {
        boolean hasPlace = failedOffsetBytes != BlockRequest.UNKNOWN_OFFSET;
        int textBytes = ByteBufUtil.utf8Bytes(text);
        int payloadBytes = 4 + 2 + textBytes + (hasPlace ? 8 : 0);
        ByteBuf to = out.room(header.bytes() + payloadBytes);
        int type = hasPlace ? ERROR_OFFSET : ERROR;
        header.write(to, true, type, cookie, offsetBytes, payloadBytes);
        to.writeInt(error.code()).writeShort(textBytes);
        to.writeCharSequence(text, StandardCharsets.UTF_8);
        if (hasPlace) {
            to.writeLong(failedOffsetBytes);
        }
    }

    @Override
    public void data(ReplyBatch out, NbdRequest read) {
        content(out, read, read.dataBytes(), true);
    }

    @Override
    public void dataBefore(ReplyBatch out, NbdRequest read, long failedOffsetBytes) {
        content(out, read, (int) (failedOffsetBytes - read.offsetBytes()), false);
    }

    /** The first so many bytes of it, data and holes in turn; in one piece if it asked for that. */
    private void content(ReplyBatch out, NbdRequest read, int lengthBytes, boolean isAll) {
        int at = 0;
        while (at < lengthBytes) {
            int left = lengthBytes - at;
            int hole = read.isUnfragmented() ? 0 : out.holeBytes(read, at, left);
            int piece = hole;
            if (hole == 0) {
                piece = read.isUnfragmented() ? left : out.dataBytes(read, at, left);
            }
            boolean isLast = isAll && piece == left;
            if (hole > 0) {
                begin(out, read, isLast, OFFSET_HOLE, 12)
                        .writeLong(read.offsetBytes() + at)
                        .writeInt(hole);
            } else {
                ByteBuf to = out.room(header.bytes() + 8);
                header.write(to, isLast, OFFSET_DATA, read.cookie(), read.offsetBytes(), 8 + piece);
                to.writeLong(read.offsetBytes() + at);
                out.data(read, at, piece);
            }
            at += piece;
        }
    }

    private ByteBuf begin(
            ReplyBatch out, NbdRequest request, boolean isLast, int type, int payloadBytes) {
        ByteBuf to = out.room(header.bytes() + payloadBytes);
        header.write(to, isLast, type, request.cookie(), request.offsetBytes(), payloadBytes);
        return to;
    }

    @Override
    public void extents(ReplyBatch out, NbdRequest status) {
        ExtentList extents = status.extents();
        int count = extents.size();
        boolean isWide = header == ChunkHeader.EXTENDED;
        long mostBytes = isWide ? Long.MAX_VALUE : MAX_COMPACT_EXTENT_BYTES;
        if (status.isForOneExtent()) {
            mostBytes = Math.min(mostBytes, status.lengthBytes());
        }
        if (isWide) {
            begin(out, status, true, BLOCK_STATUS_EXT, 8 + 16 * count)
                    .writeInt(MetaContexts.ALLOCATION_ID)
                    .writeInt(count);
        } else {
            begin(out, status, true, BLOCK_STATUS, 4 + 8 * count)
                    .writeInt(MetaContexts.ALLOCATION_ID);
        }
        ByteBuf to = out.room(0);
        for (int i = 0; i < count; i++) {
            // Only the last one, which ends the reply, can be longer.
            long lengthBytes = Math.min(extents.lengthBytes(i), mostBytes);
            int flags = extents.isHole(i) ? MetaContexts.HOLE_AND_ZERO : 0;
            if (isWide) {
                to.writeLong(lengthBytes).writeLong(flags);
            } else {
                to.writeInt((int) lengthBytes).writeInt(flags);
            }
        }
    }
}
