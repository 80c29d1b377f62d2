package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** What a client sends, made once and sent again and again. */
final class ClientBytes {
    /** Requests that come together. */
    static final int BATCH = 32;

    static final int READ = 0;
    static final int WRITE = 1;

    private ClientBytes() {}

    /** A batch of requests of that length, one behind the other; WRITEs with their data. */
    static ByteBuf batch(int type, boolean isExtended, int lengthBytes) {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer();
        for (int i = 0; i < BATCH; i++) {
            bytes.writeInt(isExtended ? 0x21e41c71 : 0x25609513);
            bytes.writeShort(isExtended && type == WRITE ? NbdCommand.FLAG_PAYLOAD_LEN : 0);
            bytes.writeShort(type).writeLong(i).writeLong((long) i * lengthBytes);
            if (isExtended) {
                bytes.writeLong(lengthBytes);
            } else {
                bytes.writeInt(lengthBytes);
            }
            if (type == WRITE) {
                bytes.writeZero(lengthBytes);
            }
        }
        return bytes;
    }

    /** Flags, the option that asks for these replies, and GO. */
    static ByteBuf handshake(Terms.Replies replies, String export) {
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer().writeInt(3);
        if (replies != Terms.Replies.SIMPLE) {
            NbdOption option =
                    replies == Terms.Replies.EXTENDED
                            ? NbdOption.EXTENDED_HEADERS
                            : NbdOption.STRUCTURED_REPLY;
            bytes.writeLong(Handshake.IHAVEOPT).writeInt(option.code()).writeInt(0);
        }
        byte[] name = export.getBytes(StandardCharsets.UTF_8);
        bytes.writeLong(Handshake.IHAVEOPT).writeInt(NbdOption.GO.code());
        bytes.writeInt(4 + name.length + 2).writeInt(name.length).writeBytes(name).writeShort(0);
        return bytes;
    }
}
