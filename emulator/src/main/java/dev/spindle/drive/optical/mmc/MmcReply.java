package dev.spindle.drive.optical.mmc;

/** How a command ended. */
public sealed interface MmcReply {
    /** GOOD, with what it gives; no longer than the command allows. */
    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    record Good(byte[] data) implements MmcReply {}

    /** CHECK CONDITION. */
    record Check(Sense sense) implements MmcReply {}
}
