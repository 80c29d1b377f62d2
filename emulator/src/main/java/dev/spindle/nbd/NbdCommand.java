package dev.spindle.nbd;

import dev.spindle.block.BlockOperation;
import org.jspecify.annotations.Nullable;

/** The requests this server serves (proto.md, Request types); any other gets EINVAL. */
public enum NbdCommand {
    READ(0, BlockOperation.READ),
    WRITE(1, BlockOperation.WRITE),
    DISC(2, null),
    FLUSH(3, BlockOperation.FLUSH),
    TRIM(4, BlockOperation.DISCARD),
    /** A read whose data goes no further than the drive's own cache. */
    CACHE(5, BlockOperation.READ),
    WRITE_ZEROES(6, BlockOperation.WRITE_ZEROES),
    BLOCK_STATUS(7, null);

    /** Valid on every command, whether it writes or not (proto.md, Command flags). */
    static final int FLAG_FUA = 1;

    static final int FLAG_NO_HOLE = 1 << 1;
    static final int FLAG_DF = 1 << 2;
    static final int FLAG_REQ_ONE = 1 << 3;
    static final int FLAG_FAST_ZERO = 1 << 4;
    static final int FLAG_PAYLOAD_LEN = 1 << 5;

    static final int MAX_CODE = 7;

    private static final NbdCommand[] ALL = values();

    private final int code;
    private final @Nullable BlockOperation operation;

    NbdCommand(int code, @Nullable BlockOperation operation) {
        this.code = code;
        this.operation = operation;
    }

    static @Nullable NbdCommand of(int code) {
        return code <= MAX_CODE ? ALL[code] : null;
    }

    int code() {
        return code;
    }

    /** What it asks of the device's queue; null where it asks nothing of that. */
    @Nullable BlockOperation operation() {
        return operation;
    }

    /** True where the request may change the device's contents. */
    boolean changesData() {
        return this == WRITE || this == TRIM || this == WRITE_ZEROES;
    }

    /** True where nobody but the client has anything of it. */
    boolean isQuestion() {
        return this == READ || this == CACHE || this == BLOCK_STATUS;
    }

    /** The flags a request of this kind may carry, after what the handshake agreed on. */
    int allowedFlags(Terms terms) {
        return FLAG_FUA
                | switch (this) {
                    case READ -> terms.sendsChunks() ? FLAG_DF : 0;
                    case WRITE -> terms.isExtended() ? FLAG_PAYLOAD_LEN : 0;
                    case WRITE_ZEROES -> FLAG_NO_HOLE | FLAG_FAST_ZERO;
                    case BLOCK_STATUS ->
                            terms.isExtended() ? FLAG_REQ_ONE | FLAG_PAYLOAD_LEN : FLAG_REQ_ONE;
                    case DISC, FLUSH, TRIM, CACHE -> 0;
                };
    }
}
