package dev.spindle.nbd;

import dev.spindle.block.BlockStatus;

/** The error numbers of the wire (proto.md, Error values), and the one table that maps to them. */
enum NbdError {
    NONE(0),
    EPERM(1),
    EIO(5),
    ENOMEM(12),
    EINVAL(22),
    ENOSPC(28),
    EOVERFLOW(75),
    ENOTSUP(95),
    ESHUTDOWN(108);

    private final int code;

    NbdError(int code) {
        this.code = code;
    }

    int code() {
        return code;
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
