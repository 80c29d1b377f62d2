package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The header of one request (proto.md, Request message), reused for each. Owned by its session.
 *
 * <pre>
 *  offset  bytes
 *       0      4  0x25609513
 *       4      2  command flags
 *       6      2  type
 *       8      8  cookie, opaque
 *      16      8  offset
 *      24      4  length, unsigned
 *      28      .  with a WRITE: length bytes of data
 * </pre>
 */
final class RequestHeader {
    static final int BYTES = 28;
    static final int MAGIC = 0x25609513;

    private int magic;
    private int flags;
    private int type;
    private long cookie;
    private long offsetBytes;
    private long lengthBytes;
    private @Nullable NbdCommand command;

    void read(ByteBuf in, int index) {
        magic = in.getInt(index);
        flags = in.getUnsignedShort(index + 4);
        type = in.getUnsignedShort(index + 6);
        cookie = in.getLong(index + 8);
        offsetBytes = in.getLong(index + 16);
        lengthBytes = in.getUnsignedInt(index + 24);
        command = NbdCommand.of(type);
    }

    boolean hasMagic() {
        return magic == MAGIC;
    }

    int magic() {
        return magic;
    }

    int flags() {
        return flags;
    }

    boolean isFua() {
        return (flags & NbdCommand.FLAG_FUA) != 0;
    }

    int type() {
        return type;
    }

    /** Null if this server does not know the type. */
    @Nullable NbdCommand command() {
        return command;
    }

    long cookie() {
        return cookie;
    }

    /** Unsigned on the wire; beyond 2^63 it is negative here and past every end. */
    long offsetBytes() {
        return offsetBytes;
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Bytes that follow the header on the wire, whether the request is a good one or not. */
    long payloadBytes() {
        return command == NbdCommand.WRITE ? lengthBytes : 0;
    }
}
