package dev.spindle.nbd;

import dev.spindle.block.BlockOperation;
import org.jspecify.annotations.Nullable;

/** The requests this server serves (proto.md, Request types); any other gets EINVAL. */
public enum NbdCommand {
    READ(0, NbdCommand.FLAG_FUA, BlockOperation.READ),
    WRITE(1, NbdCommand.FLAG_FUA, BlockOperation.WRITE),
    DISC(2, NbdCommand.FLAG_FUA, null),
    FLUSH(3, NbdCommand.FLAG_FUA, BlockOperation.FLUSH),
    TRIM(4, NbdCommand.FLAG_FUA, BlockOperation.DISCARD),
    WRITE_ZEROES(6, NbdCommand.FLAG_FUA | NbdCommand.FLAG_NO_HOLE, BlockOperation.WRITE_ZEROES);

    /** Valid on every command, whether it writes or not (proto.md, Command flags). */
    static final int FLAG_FUA = 1;

    static final int FLAG_NO_HOLE = 1 << 1;

    static final int MAX_CODE = 6;

    private static final NbdCommand[] ALL = values();

    private final int code;
    private final int allowedFlags;
    private final @Nullable BlockOperation operation;

    NbdCommand(int code, int allowedFlags, @Nullable BlockOperation operation) {
        this.code = code;
        this.allowedFlags = allowedFlags;
        this.operation = operation;
    }

    static @Nullable NbdCommand of(int code) {
        for (NbdCommand command : ALL) {
            if (command.code == code) {
                return command;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    boolean allowsFlags(int flags) {
        return (flags & ~allowedFlags) == 0;
    }

    /** What it asks of the device; null for DISC, which asks nothing. */
    @Nullable BlockOperation operation() {
        return operation;
    }

    /** True where the request may change the device's contents. */
    boolean changesData() {
        return this == WRITE || this == TRIM || this == WRITE_ZEROES;
    }
}
