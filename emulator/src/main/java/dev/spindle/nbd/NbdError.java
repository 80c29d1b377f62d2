package dev.spindle.nbd;

import dev.spindle.block.BlockStatus;

/** The error numbers of the wire (proto.md, Error values), and the one table that maps to them. */
enum NbdError {
    NONE(0, "no error"),
    EPERM(1, "not permitted"),
    EIO(5, "input/output error"),
    ENOMEM(12, "out of memory"),
    EINVAL(22, "not possible here"),
    ENOSPC(28, "no space left in the store"),
    EOVERFLOW(75, "too long"),
    ENOTSUP(95, "not supported"),
    ESHUTDOWN(108, "shutting down");

    private final int code;
    private final String text;

    NbdError(int code, String text) {
        this.code = code;
        this.text = text;
    }

    int code() {
        return code;
    }

    /** For people. */
    String text() {
        return text;
    }

    /** ENOTSUP is kept for FAST_ZERO by the protocol, so an operation a device lacks is EINVAL. */
    static NbdError of(BlockStatus status) {
        return switch (status) {
            case OK -> NONE;
            case IO_ERROR, WOULD_BLOCK -> EIO;
            case NO_SPACE -> ENOSPC;
            case READ_ONLY -> EPERM;
            case INVALID, NOT_SUPPORTED -> EINVAL;
            case SHUTDOWN -> ESHUTDOWN;
        };
    }
}
