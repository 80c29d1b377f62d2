package dev.spindle.drive.optical;

/**
 * The drive's FIFO of data reported as written, as the moments at which each piece will be on the
 * disc. Its size is the drive's; a piece is never larger than a packet.
 */
final class WriteBuffer {
    private final long capacityBytes;
    private final double[] endNs;
    private final long[] bytes;
    private int first;
    private int pieces;
    private long usedBytes;

    /** {@code leastPieceBytes} bounds how many pieces there can be. */
    WriteBuffer(long capacityBytes, int leastPieceBytes) {
        this.capacityBytes = capacityBytes;
        int most = Math.toIntExact(capacityBytes / leastPieceBytes) + 1;
        endNs = new double[most];
        bytes = new long[most];
    }

    /** Forgets what is on the disc by then. */
    void drainUntil(double nowNs) {
        while (pieces > 0 && endNs[first] <= nowNs) {
            removeOldest();
        }
    }

    boolean hasRoomFor(long pieceBytes) {
        return usedBytes + pieceBytes <= capacityBytes;
    }

    /** Makes room; when the oldest piece is on the disc. */
    double removeOldest() {
        double leftNs = endNs[first];
        usedBytes -= bytes[first];
        first = (first + 1) % endNs.length;
        pieces--;
        return leftNs;
    }

    void add(long pieceBytes, double writtenNs) {
        int last = (first + pieces) % endNs.length;
        endNs[last] = writtenNs;
        bytes[last] = pieceBytes;
        pieces++;
        usedBytes += pieceBytes;
        assert usedBytes <= capacityBytes;
    }

    long usedBytes() {
        return usedBytes;
    }
}
