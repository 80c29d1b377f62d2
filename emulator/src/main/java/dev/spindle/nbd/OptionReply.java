package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/**
 * The answers to options (proto.md, Option reply types).
 *
 * <pre>
 *  offset  bytes
 *       0      8  0x3e889045565a9
 *       8      4  option this answers
 *      12      4  reply type; bit 31 set means an error
 *      16      4  length of what follows
 *      20      .  data; with an error, text for people
 * </pre>
 */
enum OptionReply {
    ACK(1),
    SERVER(2),
    INFO(3),
    META_CONTEXT(4),
    ERR_UNSUP(1 << 31 | 1),
    ERR_POLICY(1 << 31 | 2),
    ERR_INVALID(1 << 31 | 3),
    ERR_TLS_REQD(1 << 31 | 5),
    ERR_UNKNOWN(1 << 31 | 6),
    ERR_SHUTDOWN(1 << 31 | 7),
    ERR_TOO_BIG(1 << 31 | 9),
    ERR_EXT_HEADER_REQD(1 << 31 | 10);

    static final long MAGIC = 0x3e889045565a9L;
    static final int INFO_EXPORT = 0;
    static final int INFO_NAME = 1;
    static final int INFO_DESCRIPTION = 2;
    static final int INFO_BLOCK_SIZE = 3;

    private final int code;

    OptionReply(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Writes the 20 bytes of the header; {@code lengthBytes} of data must follow. */
    void writeHeader(ByteBuf out, int option, int lengthBytes) {
        out.writeLong(MAGIC).writeInt(option).writeInt(code).writeInt(lengthBytes);
    }

    void writeText(ByteBuf out, int option, String text) {
        writeHeader(out, option, ByteBufUtil.utf8Bytes(text));
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }

    static void writeServer(ByteBuf out, int option, Export export) {
        int nameBytes = ByteBufUtil.utf8Bytes(export.name());
        SERVER.writeHeader(
                out, option, 4 + nameBytes + ByteBufUtil.utf8Bytes(export.description()));
        out.writeInt(nameBytes);
        out.writeCharSequence(export.name(), StandardCharsets.UTF_8);
        out.writeCharSequence(export.description(), StandardCharsets.UTF_8);
    }

    static void writeExport(ByteBuf out, int option, Export export, Terms terms) {
        INFO.writeHeader(out, option, 12);
        out.writeShort(INFO_EXPORT);
        out.writeLong(export.device().capacityBytes());
        out.writeShort(TransmissionFlags.of(export.device(), terms));
    }

    static void writeMetaContext(ByteBuf out, int option, int id, String name) {
        META_CONTEXT.writeHeader(out, option, 4 + ByteBufUtil.utf8Bytes(name));
        out.writeInt(id);
        out.writeCharSequence(name, StandardCharsets.UTF_8);
    }

    static void writeInfoText(ByteBuf out, int option, int infoType, String text) {
        INFO.writeHeader(out, option, 2 + ByteBufUtil.utf8Bytes(text));
        out.writeShort(infoType);
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }

    /** The preferred size must be a power of two, which a device's optimal size need not be. */
    static void writeBlockSize(ByteBuf out, int option, Export export, int maxRequestBytes) {
        var limits = export.device().limits();
        int preferredBytes = Math.min(Integer.lowestOneBit(limits.optimalIoBytes()), 1 << 20);
        INFO.writeHeader(out, option, 14);
        out.writeShort(INFO_BLOCK_SIZE);
        out.writeInt(limits.logicalBlockBytes());
        out.writeInt(preferredBytes);
        out.writeInt(maxRequestBytes);
    }
}
