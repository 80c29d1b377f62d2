package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** A client's side of the wire, written down independently of the server's classes. */
final class Wire {
    static final int FUA = 1;
    static final int NO_HOLE = 2;
    static final int DF = 4;
    static final int REQ_ONE = 8;
    static final int FAST_ZERO = 16;
    static final int PAYLOAD_LEN = 32;
    static final int READ = 0;
    static final int WRITE = 1;
    static final int DISC = 2;
    static final int FLUSH = 3;
    static final int TRIM = 4;
    static final int CACHE = 5;
    static final int WRITE_ZEROES = 6;
    static final int BLOCK_STATUS = 7;
    static final int ERR_UNSUP = 0x80000001;
    static final int ERR_POLICY = 0x80000002;
    static final int ERR_TLS_REQD = 0x80000005;
    static final int ERR_INVALID = 0x80000003;
    static final int ERR_UNKNOWN = 0x80000006;
    static final int ERR_TOO_BIG = 0x80000009;
    static final int ERR_EXT_HEADER_REQD = 0x8000000a;
    static final int NONE = 0;
    static final int OFFSET_DATA = 1;
    static final int OFFSET_HOLE = 2;
    static final int STATUS = 5;
    static final int STATUS_EXT = 6;
    static final int ERROR = 0x8001;
    static final int ERROR_OFFSET = 0x8002;

    private Wire() {}

    static byte[] flags(int flags) {
        return bytes(Unpooled.buffer().writeInt(flags));
    }

    static byte[] option(int option, byte[] data) {
        return option(option, data.length, data);
    }

    static byte[] option(int option, int length, byte[] data) {
        return bytes(
                Unpooled.buffer()
                        .writeLong(0x49484156454F5054L)
                        .writeInt(option)
                        .writeInt(length)
                        .writeBytes(data));
    }

    static byte[] infoData(String name, int... infos) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        ByteBuf data = Unpooled.buffer().writeInt(text.length).writeBytes(text);
        data.writeShort(infos.length);
        for (int info : infos) {
            data.writeShort(info);
        }
        return bytes(data);
    }

    static byte[] go(String name) {
        return option(7, infoData(name));
    }

    static byte[] request(int type, int flags, long cookie, long offset, int length) {
        return bytes(
                Unpooled.buffer()
                        .writeInt(0x25609513)
                        .writeShort(flags)
                        .writeShort(type)
                        .writeLong(cookie)
                        .writeLong(offset)
                        .writeInt(length));
    }

    static byte[] extended(int type, int flags, long cookie, long offset, long length) {
        return bytes(
                Unpooled.buffer()
                        .writeInt(0x21e41c71)
                        .writeShort(flags)
                        .writeShort(type)
                        .writeLong(cookie)
                        .writeLong(offset)
                        .writeLong(length));
    }

    /** The data of SET_META_CONTEXT and LIST_META_CONTEXT. */
    static byte[] queries(String export, String... queries) {
        ByteBuf data = Unpooled.buffer();
        writeString(data, export);
        data.writeInt(queries.length);
        for (String query : queries) {
            writeString(data, query);
        }
        return bytes(data);
    }

    private static void writeString(ByteBuf data, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        data.writeInt(bytes.length).writeBytes(bytes);
    }

    static byte[] structuredReply() {
        return option(8, new byte[0]);
    }

    static byte[] extendedHeaders() {
        return option(11, new byte[0]);
    }

    static byte[] setAllocation(String export) {
        return option(10, queries(export, "base:allocation"));
    }

    /** A structured reply chunk, the last of its reply or not. */
    static byte[] chunk(boolean isLast, int type, long cookie, byte... payload) {
        return bytes(
                Unpooled.buffer()
                        .writeInt(0x668e33ef)
                        .writeShort(isLast ? 1 : 0)
                        .writeShort(type)
                        .writeLong(cookie)
                        .writeInt(payload.length)
                        .writeBytes(payload));
    }

    /** The same with an extended header, which tells the request's offset. */
    static byte[] wideChunk(boolean isLast, int type, long cookie, long offset, byte... payload) {
        return bytes(
                Unpooled.buffer()
                        .writeInt(0x6e8a278c)
                        .writeShort(isLast ? 1 : 0)
                        .writeShort(type)
                        .writeLong(cookie)
                        .writeLong(offset)
                        .writeLong(payload.length)
                        .writeBytes(payload));
    }

    static byte[] data(long offset, byte... data) {
        return bytes(Unpooled.buffer().writeLong(offset).writeBytes(data));
    }

    static byte[] hole(long offset, int length) {
        return bytes(Unpooled.buffer().writeLong(offset).writeInt(length));
    }

    /** The payload of a status chunk: lengths and flags in turn. */
    static byte[] status(int... lengthsAndFlags) {
        ByteBuf payload = Unpooled.buffer().writeInt(1);
        for (int each : lengthsAndFlags) {
            payload.writeInt(each);
        }
        return bytes(payload);
    }

    static byte[] wideStatus(long... lengthsAndFlags) {
        ByteBuf payload = Unpooled.buffer().writeInt(1).writeInt(lengthsAndFlags.length / 2);
        for (long each : lengthsAndFlags) {
            payload.writeLong(each);
        }
        return bytes(payload);
    }

    static byte[] write(long cookie, long offset, byte[] data) {
        return join(request(WRITE, 0, cookie, offset, data.length), data);
    }

    /** A simple reply, its data if any behind it. */
    static byte[] reply(int error, long cookie, byte... data) {
        return bytes(
                Unpooled.buffer()
                        .writeInt(0x67446698)
                        .writeInt(error)
                        .writeLong(cookie)
                        .writeBytes(data));
    }

    static byte[] optionReply(int option, int type, byte... data) {
        return bytes(
                Unpooled.buffer()
                        .writeLong(0x3e889045565a9L)
                        .writeInt(option)
                        .writeInt(type)
                        .writeInt(data.length)
                        .writeBytes(data));
    }

    static byte[] greeting() {
        return bytes(
                Unpooled.buffer()
                        .writeBytes("NBDMAGICIHAVEOPT".getBytes(StandardCharsets.US_ASCII))
                        .writeShort(3));
    }

    static byte[] pattern(int seed, int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (seed + i * 31 + (i >> 8));
        }
        return data;
    }

    static byte[] join(byte[]... parts) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts));
    }

    private static byte[] bytes(ByteBuf buffer) {
        return ByteBufUtil.getBytes(buffer);
    }
}
