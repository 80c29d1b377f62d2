package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One message of the server in the transmission phase, as a client reads it.
 *
 * @param magic tells a simple reply, a structured and an extended chunk apart
 * @param type of a chunk; the error of a simple reply
 * @param offset in an extended header, else 0
 */
record Chunk(int magic, boolean isLast, int type, long cookie, long offset, ByteBuf body) {
    static final int SIMPLE = 0x67446698;
    static final int STRUCTURED = 0x668e33ef;
    static final int EXTENDED = 0x6e8a278c;

    /** All of them; a simple reply with data has to be taken apart by whoever knows its length. */
    static List<Chunk> readAll(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        List<Chunk> all = new ArrayList<>();
        while (in.isReadable()) {
            all.add(read(in));
        }
        return all;
    }

    private static Chunk read(ByteBuf in) {
        int magic = in.readInt();
        if (magic == SIMPLE) {
            int error = in.readInt();
            return new Chunk(magic, true, error, in.readLong(), 0, Unpooled.EMPTY_BUFFER);
        }
        assertThat(magic).isIn(STRUCTURED, EXTENDED);
        int flags = in.readUnsignedShort();
        assertThat(flags).isLessThanOrEqualTo(1);
        int type = in.readUnsignedShort();
        long cookie = in.readLong();
        long offset = magic == EXTENDED ? in.readLong() : 0;
        long length = magic == EXTENDED ? in.readLong() : in.readUnsignedInt();
        ByteBuf body = in.readSlice((int) length);
        return new Chunk(magic, flags == 1, type, cookie, offset, body);
    }

    boolean isError() {
        return magic == SIMPLE ? type != 0 : (type & 0x8000) != 0;
    }

    /** 0 of a chunk that is no error. */
    int error() {
        if (magic == SIMPLE) {
            return type;
        }
        return isError() ? body.getInt(0) : 0;
    }

    String text() {
        int length = body.getUnsignedShort(4);
        return body.toString(6, length, StandardCharsets.UTF_8);
    }

    /** Of an ERROR_OFFSET. */
    long errorOffset() {
        return body.getLong(6 + body.getUnsignedShort(4));
    }

    byte[] payload() {
        return ByteBufUtil.getBytes(body);
    }
}
