package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;

/**
 * The head of a chunk of a reply (proto.md, Structured reply chunk message; Extended reply chunk
 * message in the extension EXTENDED_HEADERS).
 *
 * <pre>
 *  structured           extended
 *  offset  bytes        offset  bytes
 *       0      4             0      4  0x668e33ef, extended 0x6e8a278c
 *       4      2             4      2  flags; bit 0: the last chunk of its reply
 *       6      2             6      2  type
 *       8      8             8      8  cookie of the request
 *       -      -            16      8  offset of the request
 *      16      4            24      8  length of the payload
 * </pre>
 */
enum ChunkHeader {
    STRUCTURED(0x668e33ef, 20),
    EXTENDED(0x6e8a278c, 32);

    static final int FLAG_DONE = 1;

    private final int magic;
    private final int bytes;

    ChunkHeader(int magic, int bytes) {
        this.magic = magic;
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    void write(
            ByteBuf out,
            boolean isLast,
            int type,
            long cookie,
            long offsetBytes,
            int payloadBytes) {
        out.writeInt(magic).writeShort(isLast ? FLAG_DONE : 0).writeShort(type).writeLong(cookie);
        if (this == EXTENDED) {
            out.writeLong(offsetBytes).writeLong(payloadBytes);
        } else {
            out.writeInt(payloadBytes);
        }
    }
}
