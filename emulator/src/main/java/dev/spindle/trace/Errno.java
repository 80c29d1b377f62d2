package dev.spindle.trace;

import dev.spindle.block.BlockStatus;

/** How a record says that a request has failed: Linux's error numbers. */
final class Errno {
    private Errno() {}

    static int of(BlockStatus status) {
        return switch (status) {
            case OK -> 0;
            case IO_ERROR -> 5;
            case WOULD_BLOCK -> 11;
            case INVALID -> 22;
            case NO_SPACE -> 28;
            case READ_ONLY -> 30;
            case NOT_SUPPORTED -> 95;
            case SHUTDOWN -> 108;
        };
    }
}
