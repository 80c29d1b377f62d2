package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** A client's side of the wire, written down independently of the server's classes. */
final class Wire {
    static final int FUA = 1;
    static final int NO_HOLE = 2;
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
