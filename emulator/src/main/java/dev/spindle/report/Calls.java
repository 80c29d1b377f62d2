package dev.spindle.report;

/**
 * What calls of one kind came to.
 *
 * @param items iocbs or events that they moved
 * @param sleptNs of the time, that spent asleep for want of a free request
 */
public record Calls(long count, long items, long ns, long sleptNs, long maxNs) {
    static final Calls NONE = new Calls(0, 0, 0, 0, 0);

    Calls plus(Calls other) {
        return new Calls(
                count + other.count,
                items + other.items,
                ns + other.ns,
                sleptNs + other.sleptNs,
                Math.max(maxNs, other.maxNs));
    }
}
