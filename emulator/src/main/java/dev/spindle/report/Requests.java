package dev.spindle.report;

/**
 * What requests of one operation came to.
 *
 * @param started those submitted; more than ended where a process was killed with some in flight
 * @param bytes of those that ended without error
 * @param pieces into which they were cut by max_sectors_kb
 * @param split how many were cut at all
 * @param ns from submission to the end of each, all together
 */
public record Requests(
        long started,
        long ended,
        long errors,
        long bytes,
        long pieces,
        long split,
        long ns,
        Latencies latencies) {
    static Requests none() {
        return new Requests(0, 0, 0, 0, 0, 0, 0, Latencies.none());
    }

    Requests plus(Requests other) {
        return new Requests(
                started + other.started,
                ended + other.ended,
                errors + other.errors,
                bytes + other.bytes,
                pieces + other.pieces,
                split + other.split,
                ns + other.ns,
                latencies.plus(other.latencies));
    }
}
