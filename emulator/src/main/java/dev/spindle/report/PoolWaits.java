package dev.spindle.report;

/** How often and how long threads slept for want of a free request of the pool. */
public record PoolWaits(long waits, long ns, long maxNs) {
    static final PoolWaits NONE = new PoolWaits(0, 0, 0);

    PoolWaits plus(PoolWaits other) {
        return new PoolWaits(waits + other.waits, ns + other.ns, Math.max(maxNs, other.maxNs));
    }
}
