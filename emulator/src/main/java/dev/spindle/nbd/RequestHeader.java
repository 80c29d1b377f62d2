package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The header of one request (proto.md, Request message; its extension EXTENDED_HEADERS), reused for
 * each. Owned by its session.
 *
 * <pre>
 *  compact              extended
 *  offset  bytes        offset  bytes
 *       0      4             0      4  0x25609513, extended 0x21e41c71
 *       4      2             4      2  command flags
 *       6      2             6      2  type
 *       8      8             8      8  cookie, opaque
 *      16      8            16      8  offset
 *      24      4            24      8  length, unsigned
 *      28      .            32      .  compact, with a WRITE: length bytes of data
 *                                      extended, with the flag PAYLOAD_LEN: length bytes of payload
 * </pre>
 *
 * <p>The payload of an extended BLOCK_STATUS says what to look at, and with which contexts:
 *
 * <pre>
 *       0      8  effect length
 *       8     4n  ids of meta contexts
 * </pre>
 */
final class RequestHeader {
    static final int COMPACT_BYTES = 28;
    static final int EXTENDED_BYTES = 32;
    static final int COMPACT_MAGIC = 0x25609513;
    static final int EXTENDED_MAGIC = 0x21e41c71;

    /** The payload of a BLOCK_STATUS that names one context. */
    static final int FILTER_BYTES = 12;

    private final boolean isExtended;
    private int magic;
    private int flags;
    private int type;
    private long cookie;
    private long offsetBytes;
    private long lengthBytes;
    private long payloadBytes;
    private boolean isFilterRead;
    private int filterId;
    private @Nullable NbdCommand command;

    RequestHeader(boolean isExtended) {
        this.isExtended = isExtended;
    }

    int bytes() {
        return isExtended ? EXTENDED_BYTES : COMPACT_BYTES;
    }

    void read(ByteBuf in, int index) {
        magic = in.getInt(index);
        flags = in.getUnsignedShort(index + 4);
        type = in.getUnsignedShort(index + 6);
        cookie = in.getLong(index + 8);
        offsetBytes = in.getLong(index + 16);
        lengthBytes = isExtended ? in.getLong(index + 24) : in.getUnsignedInt(index + 24);
        command = NbdCommand.of(type);
        boolean hasPayload = isExtended ? hasPayloadFlag() : command == NbdCommand.WRITE;
        payloadBytes = hasPayload ? lengthBytes : 0;
        isFilterRead = false;
    }

    /** The payload of a BLOCK_STATUS takes the place of its length. */
    void readFilter(ByteBuf in, int index) {
        lengthBytes = in.getLong(index);
        filterId = in.getInt(index + 8);
        isFilterRead = true;
        payloadBytes = 0;
    }

    boolean hasMagic() {
        return magic == (isExtended ? EXTENDED_MAGIC : COMPACT_MAGIC);
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

    boolean hasPayloadFlag() {
        return (flags & NbdCommand.FLAG_PAYLOAD_LEN) != 0;
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

    /** Unsigned on the wire, like the offset. */
    long lengthBytes() {
        return lengthBytes;
    }

    /** Bytes that follow on the wire, whether the request is a good one or not; unsigned. */
    long payloadBytes() {
        return payloadBytes;
    }

    boolean isFilterRead() {
        return isFilterRead;
    }

    int filterId() {
        return filterId;
    }

    /** For people. */
    String text() {
        return (command == null ? "command " + type : command.toString())
                + " flags=0x"
                + Integer.toHexString(flags)
                + " offset="
                + Long.toUnsignedString(offsetBytes)
                + " length="
                + Long.toUnsignedString(lengthBytes);
    }
}
