package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;

/** What an export can do, as told at the end of the handshake (proto.md, Transmission flags). */
final class TransmissionFlags {
    static final int HAS_FLAGS = 1;
    static final int READ_ONLY = 1 << 1;
    static final int SEND_FLUSH = 1 << 2;
    static final int SEND_FUA = 1 << 3;
    static final int ROTATIONAL = 1 << 4;
    static final int SEND_TRIM = 1 << 5;
    static final int SEND_WRITE_ZEROES = 1 << 6;
    static final int CAN_MULTI_CONN = 1 << 8;

    private TransmissionFlags() {}

    /**
     * CAN_MULTI_CONN always holds: a device has one state and one cache, whoever asks, so a FLUSH
     * covers the writes of all connections.
     */
    static int of(BlockDevice device) {
        int flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA | CAN_MULTI_CONN;
        flags |= device.isReadOnly() ? READ_ONLY : SEND_TRIM | SEND_WRITE_ZEROES;
        return device.isRotational() ? flags | ROTATIONAL : flags;
    }
}
