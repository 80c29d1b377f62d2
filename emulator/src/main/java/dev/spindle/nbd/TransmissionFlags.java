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
    static final int SEND_DF = 1 << 7;
    static final int CAN_MULTI_CONN = 1 << 8;
    static final int SEND_CACHE = 1 << 10;
    static final int SEND_FAST_ZERO = 1 << 11;
    static final int BLOCK_STATUS_PAYLOAD = 1 << 12;

    private TransmissionFlags() {}

    /**
     * CAN_MULTI_CONN always holds: a device has one state and one cache, whoever asks, so a FLUSH
     * covers the writes of all connections. FAST_ZERO is understood everywhere, if only to say that
     * nothing is fast.
     */
    static int of(BlockDevice device, Terms terms) {
        int flags = HAS_FLAGS | SEND_FLUSH | SEND_FUA | CAN_MULTI_CONN | SEND_CACHE;
        flags |= device.isReadOnly() ? READ_ONLY : SEND_TRIM | SEND_WRITE_ZEROES | SEND_FAST_ZERO;
        flags |= device.isRotational() ? ROTATIONAL : 0;
        flags |= terms.sendsChunks() ? SEND_DF : 0;
        return terms.isExtended() && terms.hasAllocation() ? flags | BLOCK_STATUS_PAYLOAD : flags;
    }
}
