package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers the options of one handshake, one after the other. Owned by the loop that accepted the
 * connection. A refused option leaves the stream in sync: its data has been read, whatever it was.
 */
final class Options {
    /** How the handshake goes on. */
    sealed interface Outcome {
        /** The client may send another option. */
        record Next() implements Outcome {}

        /** Answered with all the client needs: transmission begins. */
        record Begin(Export export, Terms terms) implements Outcome {}

        /** The client takes its leave. */
        record Abort() implements Outcome {}

        /** There is no way to refuse it but to hang up. */
        record HangUp(String reason) implements Outcome {}
    }

    private static final Outcome NEXT = new Outcome.Next();
    private static final int EXPORT_NAME_ZEROES = 124;

    private final Exports exports;
    private final int maxRequestBytes;
    private boolean withoutZeroes;
    private Terms.Replies replies = Terms.Replies.SIMPLE;

    /** The name for which base:allocation was selected last; null if it is not. */
    private @Nullable String allocationFor;

    Options(Exports exports, int maxRequestBytes) {
        this.exports = exports;
        this.maxRequestBytes = maxRequestBytes;
    }

    /** NO_ZEROES was agreed on in the flags. */
    void omitZeroes() {
        withoutZeroes = true;
    }

    /** Answers the option {@code code} with its whole {@code data} by writing to {@code out}. */
    Outcome answer(int code, ByteBuf data, ByteBuf out) {
        NbdOption option = NbdOption.of(code);
        if (option == null) {
            return refuse(out, code, OptionReply.ERR_UNSUP, "option not supported");
        }
        return switch (option) {
            case EXPORT_NAME -> exportName(data, out);
            case ABORT -> abort(out);
            case LIST -> list(data, out);
            case INFO, GO -> infoOrGo(option, data, out);
            case STRUCTURED_REPLY, EXTENDED_HEADERS -> agreeOn(option, data.isReadable(), out);
            case LIST_META_CONTEXT, SET_META_CONTEXT -> metaContext(option, data, out);
        };
    }

    /** Answers an option whose data was too long to be looked at. */
    Outcome answerTooLong(int code, ByteBuf out) {
        NbdOption option = NbdOption.of(code);
        if (option == null) {
            return refuse(out, code, OptionReply.ERR_UNSUP, "option not supported");
        }
        return switch (option) {
            case EXPORT_NAME -> new Outcome.HangUp("EXPORT_NAME with too long a name");
            case ABORT -> abort(out);
            case LIST -> refuse(out, code, OptionReply.ERR_INVALID, "LIST takes no data");
            case STRUCTURED_REPLY, EXTENDED_HEADERS -> agreeOn(option, true, out);
            case INFO, GO, LIST_META_CONTEXT ->
                    refuse(out, code, OptionReply.ERR_TOO_BIG, "too much option data");
            case SET_META_CONTEXT -> {
                allocationFor = null;
                yield refuse(out, code, OptionReply.ERR_TOO_BIG, "too much option data");
            }
        };
    }

    private static Outcome refuse(ByteBuf out, int option, OptionReply error, String text) {
        error.writeText(out, option, text);
        return NEXT;
    }

    /**
     * The old way in; it knows no refusal but hanging up.
     *
     * <pre>
     *  offset  bytes
     *       0      8  size of the export
     *       8      2  transmission flags
     *      10    124  zeroes, unless NO_ZEROES was agreed on
     * </pre>
     */
    private Outcome exportName(ByteBuf data, ByteBuf out) {
        if (data.readableBytes() > Export.MAX_STRING_BYTES) {
            return new Outcome.HangUp("EXPORT_NAME of " + data.readableBytes() + " bytes");
        }
        if (replies == Terms.Replies.EXTENDED) {
            return new Outcome.HangUp("EXPORT_NAME after EXTENDED_HEADERS");
        }
        String name = name(data, data.readableBytes());
        Export export = exports.find(name);
        if (export == null) {
            return new Outcome.HangUp("EXPORT_NAME of an export that does not exist");
        }
        out.writeLong(export.device().capacityBytes());
        out.writeShort(TransmissionFlags.of(export.device(), termsFor(name)));
        if (!withoutZeroes) {
            out.writeZero(EXPORT_NAME_ZEROES);
        }
        return new Outcome.Begin(export, termsFor(name));
    }

    /** Data with it SHOULD be ignored. */
    private static Outcome abort(ByteBuf out) {
        OptionReply.ACK.writeHeader(out, NbdOption.ABORT.code(), 0);
        return new Outcome.Abort();
    }

    private Outcome list(ByteBuf data, ByteBuf out) {
        int code = NbdOption.LIST.code();
        if (data.isReadable()) {
            return refuse(out, code, OptionReply.ERR_INVALID, "LIST takes no data");
        }
        for (Export export : exports.all()) {
            OptionReply.writeServer(out, code, export);
        }
        OptionReply.ACK.writeHeader(out, code, 0);
        return NEXT;
    }

    /**
     * INFO and GO, which differ only in what follows the ACK.
     *
     * <pre>
     *  offset  bytes
     *       0      4  n, length of the name, at most the option's length - 6
     *       4      n  name
     *     4+n      2  k, number of information requests
     *     6+n     2k  information requests
     * </pre>
     */
    private Outcome infoOrGo(NbdOption option, ByteBuf data, ByteBuf out) {
        int code = option.code();
        int lengthBytes = data.readableBytes();
        if (lengthBytes < 6) {
            return refuse(out, code, OptionReply.ERR_INVALID, "shorter than 6 bytes");
        }
        long nameBytes = data.readUnsignedInt();
        if (nameBytes > lengthBytes - 6) {
            return refuse(out, code, OptionReply.ERR_INVALID, "name longer than the option");
        }
        if (nameBytes > Export.MAX_STRING_BYTES) {
            return refuse(out, code, OptionReply.ERR_TOO_BIG, "name longer than 4096 bytes");
        }
        String name = name(data, (int) nameBytes);
        Export export = exports.find(name);
        int infos = data.readUnsignedShort();
        if (data.readableBytes() != 2 * infos) {
            return refuse(out, code, OptionReply.ERR_INVALID, "wrong number of infos");
        }
        if (export == null) {
            return refuse(out, code, OptionReply.ERR_UNKNOWN, "no such export");
        }
        OptionReply.writeExport(out, code, export, termsFor(name));
        describe(export, code, data, out);
        OptionReply.ACK.writeHeader(out, code, 0);
        return option == NbdOption.GO ? new Outcome.Begin(export, termsFor(name)) : NEXT;
    }

    /**
     * Behind EXPORT, which must be told, BLOCK_SIZE is, asked for or not, as it is enforced; each
     * at most once, however often it is asked for.
     */
    private void describe(Export export, int code, ByteBuf requests, ByteBuf out) {
        boolean wantsName = false;
        boolean wantsDescription = false;
        while (requests.isReadable()) {
            int info = requests.readUnsignedShort();
            wantsName |= info == OptionReply.INFO_NAME;
            wantsDescription |= info == OptionReply.INFO_DESCRIPTION;
        }
        OptionReply.writeBlockSize(out, code, export, maxRequestBytes);
        if (wantsName) {
            OptionReply.writeInfoText(out, code, OptionReply.INFO_NAME, export.name());
        }
        if (wantsDescription) {
            String text = export.description();
            OptionReply.writeInfoText(out, code, OptionReply.INFO_DESCRIPTION, text);
        }
    }

    private static String name(ByteBuf data, int nameBytes) {
        return data.readCharSequence(nameBytes, StandardCharsets.UTF_8).toString();
    }

    /** The selection of contexts holds for the very name it was made with. */
    private Terms termsFor(String exportName) {
        return new Terms(replies, exportName.equals(allocationFor));
    }

    /** STRUCTURED_REPLY and EXTENDED_HEADERS, of which the second goes before the first. */
    private Outcome agreeOn(NbdOption option, boolean hasData, ByteBuf out) {
        if (hasData) {
            return refuse(out, option.code(), OptionReply.ERR_INVALID, option + " takes no data");
        }
        if (option == NbdOption.EXTENDED_HEADERS) {
            replies = Terms.Replies.EXTENDED;
        } else if (replies == Terms.Replies.EXTENDED) {
            String text = "extended headers are in use already";
            return refuse(out, option.code(), OptionReply.ERR_EXT_HEADER_REQD, text);
        } else {
            replies = Terms.Replies.STRUCTURED;
        }
        OptionReply.ACK.writeHeader(out, option.code(), 0);
        return NEXT;
    }

    /** LIST shows and SET selects; a SET that fails has selected nothing. */
    private Outcome metaContext(NbdOption option, ByteBuf data, ByteBuf out) {
        int code = option.code();
        boolean sets = option == NbdOption.SET_META_CONTEXT;
        if (sets) {
            allocationFor = null;
        }
        if (replies == Terms.Replies.SIMPLE) {
            String text = "needs structured replies or extended headers first";
            return refuse(out, code, OptionReply.ERR_INVALID, text);
        }
        MetaContexts.Query query = MetaContexts.read(data);
        if (query.error() != null) {
            return refuse(out, code, query.error(), query.text());
        }
        if (exports.find(query.export()) == null) {
            return refuse(out, code, OptionReply.ERR_UNKNOWN, "no such export");
        }
        if (sets && query.selects()) {
            allocationFor = query.export();
        }
        if (sets ? query.selects() : query.lists()) {
            int id = sets ? MetaContexts.ALLOCATION_ID : 0;
            OptionReply.writeMetaContext(out, code, id, MetaContexts.ALLOCATION);
        }
        OptionReply.ACK.writeHeader(out, code, 0);
        return NEXT;
    }
}
