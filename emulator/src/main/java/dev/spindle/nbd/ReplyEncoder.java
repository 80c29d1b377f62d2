package dev.spindle.nbd;

/** How replies look on the wire; chosen by the handshake, once for a session. */
interface ReplyEncoder {
    /** A reply that carries no data. */
    void status(ReplyBatch out, long cookie, NbdError error);

    /** The reply to a READ that went well; its data is in its buffer or in the device's memory. */
    void data(ReplyBatch out, NbdRequest read);
}
