package dev.spindle.packet;

/** When the drive is turned from writing to reading. Back again always when no read is left. */
public enum PacketScheduler {
    /**
     * Linux up to 2.6.12: for a read of the host, or when nothing is left to write. Reads that fill
     * packets up wait until then, so several packets' share one turn.
     */
    WHEN_STUCK,
    /** Since 2.6.13: for any read, as soon as the next packet would be a seek away. */
    AT_SEEK
}
