package dev.spindle.nbd;

/**
 * Every bound the server keeps. Each is checked here once; behind it nothing grows further.
 *
 * @param handshakeDeadlineMs a client that is not in the transmission phase by then is dropped
 * @param payloadDeadlineMs a client whose WRITE is not whole that long after its header is cut off
 * @param maxConnections further ones are closed as soon as they are accepted
 * @param maxOptions options one client may send in a handshake
 * @param maxOptionBytes data one option may carry; longer is skipped and refused
 * @param maxRequestBytes payload of one READ or WRITE; the kernel sends 32 MiB whatever it is told
 * @param maxSkipBytes a refused WRITE up to this length is read and dropped, a longer one ends the
 *     connection
 * @param windowRequests requests of one session in flight
 * @param maxInFlightBytes buffers and reads of one session in flight; a single request may exceed
 *     it
 * @param memoryBytes data in flight of all sessions, beyond a little that each may always have;
 *     four times the longest request at least, for one session gets half at most
 * @param writeHighWaterBytes replies waiting for the socket at which a session takes no further
 *     request, until a quarter is left
 * @param idleMs a client that has sent nothing for so long, and waits for nothing, is dropped; 0
 *     for never
 */
public record NbdLimits(
        int handshakeDeadlineMs,
        int payloadDeadlineMs,
        int maxConnections,
        int maxOptions,
        int maxOptionBytes,
        int maxRequestBytes,
        int maxSkipBytes,
        int windowRequests,
        int maxInFlightBytes,
        long memoryBytes,
        int writeHighWaterBytes,
        int idleMs) {
    public static final NbdLimits DEFAULTS =
            new NbdLimits(
                    10_000, 120_000, 256, 64, 64 << 10, 32 << 20, 256 << 20, 1024, 64 << 20,
                    1L << 30, 4 << 20, 0);

    public NbdLimits {
        requireRange("handshake deadline ms", handshakeDeadlineMs, 10, 600_000);
        requireRange("payload deadline ms", payloadDeadlineMs, 10, 3_600_000);
        requireRange("connections", maxConnections, 1, 1 << 16);
        requireRange("options", maxOptions, 1, 4096);
        requireRange("option bytes", maxOptionBytes, Export.MAX_STRING_BYTES + 64, 1 << 20);
        requireRange("request bytes", maxRequestBytes, 1 << 20, 64 << 20);
        requireRange("skip bytes", maxSkipBytes, maxRequestBytes, 1 << 30);
        requireRange("window requests", windowRequests, 1, 1 << 16);
        requireRange("in-flight bytes", maxInFlightBytes, 1 << 16, 1 << 30);
        requireRange("memory bytes", memoryBytes, 4L * maxRequestBytes, 1L << 40);
        requireRange("write high water bytes", writeHighWaterBytes, 1 << 12, 1 << 30);
        requireRange("idle ms", idleMs, 0, Integer.MAX_VALUE);
    }

    /** The same with another bound on idleness; 0 for none. */
    public NbdLimits withIdleMs(int newIdleMs) {
        return new NbdLimits(
                handshakeDeadlineMs,
                payloadDeadlineMs,
                maxConnections,
                maxOptions,
                maxOptionBytes,
                maxRequestBytes,
                maxSkipBytes,
                windowRequests,
                maxInFlightBytes,
                memoryBytes,
                writeHighWaterBytes,
                newIdleMs);
    }

    private static void requireRange(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "NBD limit of " + what + "=" + value + " is not in " + least + ".." + most);
        }
    }

    /**
     * The longest payload of a refused request that is read past. Extended requests are cut
     * shorter, to what a client may take for the least any server takes (EXTENDED_HEADERS, Request
     * message).
     */
    long skipBytes(boolean isExtended) {
        return isExtended ? Math.max(maxRequestBytes, 32 << 20) : maxSkipBytes;
    }

    int writeLowWaterBytes() {
        return writeHighWaterBytes / 4;
    }
}
