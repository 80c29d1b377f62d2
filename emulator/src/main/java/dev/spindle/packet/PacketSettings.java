package dev.spindle.packet;

/**
 * What can be changed while a packet writer runs.
 *
 * @param policy what a long write queue leads to
 * @param marks what is long
 * @param scheduler when to read
 * @param waitNs how long an incomplete packet waits for more before its rest is read
 */
public record PacketSettings(
        CongestionPolicy policy, WriteMarks marks, PacketScheduler scheduler, long waitNs) {
    public static final long DEFAULT_WAIT_NS = 5_000_000;

    /** The driver's last state, Linux 2.6.20 to 6.16. */
    public static final PacketSettings DEFAULT =
            new PacketSettings(
                    CongestionPolicy.BLOCK,
                    WriteMarks.DEFAULT,
                    PacketScheduler.AT_SEEK,
                    DEFAULT_WAIT_NS);

    public PacketSettings {
        if (waitNs < 0) {
            throw new IllegalArgumentException("packet wait=" + waitNs + " ns is negative");
        }
    }
}
