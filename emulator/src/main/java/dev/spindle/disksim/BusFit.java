package dev.spindle.disksim;

import java.util.Arrays;
import java.util.List;

/**
 * What a sector takes on the bus, from the trace itself: for drives whose files leave it to the
 * host. Reads that follow the read before are mostly found in the buffer, and then cost an overhead
 * and so much a sector. Of each length the lower quarter of such reads is taken to be found; the
 * median of the slopes between any two lengths is the answer (Theil and Sen).
 */
final class BusFit {
    /** Of a length, fewer are not looked at. */
    private static final int LEAST_READS = 8;

    private static final int LONGEST = 64;

    /** Where the trace has too few such reads: 5 MB/s, SCSI of the time. */
    private static final double ASSUMED_NS = 102_400;

    private BusFit() {}

    static double sectorNs(List<MeasuredRequest> requests) {
        double[][] times = new double[LONGEST + 1][];
        int[] counts = new int[LONGEST + 1];
        for (int i = 1; i < requests.size(); i++) {
            MeasuredRequest before = requests.get(i - 1);
            MeasuredRequest request = requests.get(i);
            boolean follows =
                    before.isRead()
                            && request.isRead()
                            && before.sector() + before.sectors() == request.sector();
            int length = request.sectors();
            if (follows && length <= LONGEST) {
                double[] known = times[length] == null ? new double[8] : times[length];
                if (counts[length] == known.length) {
                    known = Arrays.copyOf(known, known.length * 2);
                }
                known[counts[length]++] = (double) request.serviceNs();
                times[length] = known;
            }
        }
        return medianSlope(times, counts);
    }

    private static double medianSlope(double[][] times, int[] counts) {
        double[] slopes = new double[LONGEST * LONGEST];
        int found = 0;
        double[] quarter = new double[LONGEST + 1];
        for (int length = 1; length <= LONGEST; length++) {
            if (counts[length] < LEAST_READS) {
                continue;
            }
            Arrays.sort(times[length], 0, counts[length]);
            quarter[length] = times[length][counts[length] / 2];
            for (int shorter = 1; shorter < length; shorter++) {
                if (counts[shorter] >= LEAST_READS) {
                    slopes[found++] = (quarter[length] - quarter[shorter]) / (length - shorter);
                }
            }
        }
        if (found == 0) {
            return ASSUMED_NS;
        }
        Arrays.sort(slopes, 0, found);
        return Math.max(0, slopes[found / 2]);
    }
}
