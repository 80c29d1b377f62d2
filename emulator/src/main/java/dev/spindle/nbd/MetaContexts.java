package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The meta contexts of a handshake (proto.md, Metadata querying): there is one, base:allocation.
 * Reads the data of the two options about them.
 *
 * <pre>
 *  offset  bytes
 *       0      4  n, length of the export's name
 *       4      n  name
 *     4+n      4  number of queries
 *     8+n      .  each: 4 bytes of length, then the query
 * </pre>
 */
final class MetaContexts {
    static final String ALLOCATION = "base:allocation";

    /** Ours to choose, and never 0, which is what LIST says. */
    static final int ALLOCATION_ID = 1;

    /** The status of a hole, which reads as zeroes; that of data is 0. */
    static final int HOLE_AND_ZERO = 1 | 1 << 1;

    private static final String BASE = "base:";

    private MetaContexts() {}

    /**
     * What an option asks for.
     *
     * @param error why it cannot be understood, null if it can
     * @param selects whether a query names base:allocation
     * @param lists whether LIST is to show it: also by base:, by an empty query or by none at all
     */
    record Query(
            @Nullable OptionReply error,
            String text,
            String export,
            boolean selects,
            boolean lists) {
        private static Query wrong(OptionReply error, String text) {
            return new Query(error, text, "", false, false);
        }
    }

    static Query read(ByteBuf data) {
        if (data.readableBytes() < 8) {
            return Query.wrong(OptionReply.ERR_INVALID, "shorter than 8 bytes");
        }
        long nameBytes = data.readUnsignedInt();
        if (nameBytes > data.readableBytes() - 4) {
            return Query.wrong(OptionReply.ERR_INVALID, "name longer than the option");
        }
        if (nameBytes > Export.MAX_STRING_BYTES) {
            return Query.wrong(OptionReply.ERR_TOO_BIG, "name longer than 4096 bytes");
        }
        String export = text(data, (int) nameBytes);
        long queries = data.readUnsignedInt();
        boolean selects = false;
        boolean lists = queries == 0;
        for (long i = 0; i < queries; i++) {
            long queryBytes = data.readableBytes() < 4 ? -1 : data.readUnsignedInt();
            if (queryBytes < 0 || queryBytes > data.readableBytes()) {
                return Query.wrong(OptionReply.ERR_INVALID, "queries longer than the option");
            }
            if (queryBytes > Export.MAX_STRING_BYTES) {
                return Query.wrong(OptionReply.ERR_TOO_BIG, "query longer than 4096 bytes");
            }
            String query = text(data, (int) queryBytes);
            selects |= query.equals(ALLOCATION);
            lists |= query.isEmpty() || query.equals(BASE);
        }
        if (data.isReadable()) {
            return Query.wrong(OptionReply.ERR_INVALID, "data behind the last query");
        }
        return new Query(null, "", export, selects, lists || selects);
    }

    private static String text(ByteBuf data, int bytes) {
        return data.readCharSequence(bytes, StandardCharsets.UTF_8).toString();
    }
}
