package dev.spindle.packet;

/** The drive's SET SPEED, as far as the packet writer uses it. */
@FunctionalInterface
public interface ReadSpeed {
    /** Asks for the most the drive can. */
    int MAX_KB_PER_SECOND = 0xffff;

    void set(int kbPerSecond, long nowNs);

    /** For a drive that knows no speeds. */
    static ReadSpeed fixed() {
        return (_, _) -> {};
    }
}
