package dev.spindle.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What one process did to one device.
 *
 * @param pid 0 for several processes together
 * @param maxDepth the most requests of it that were in flight
 * @param pool waits of reads, then of writes
 * @param congested submissions of reads, then of writes, while that flag was up
 * @param depths how many submissions made the depth 2^i to 2^(i+1) - 1
 * @param requests by {@link Operation}
 */
public record DeviceUse(
        int pid,
        String program,
        String device,
        int maxDepth,
        List<PoolWaits> pool,
        List<Long> congested,
        List<Long> depths,
        List<Requests> requests) {
    public DeviceUse {
        pool = List.copyOf(pool);
        congested = List.copyOf(congested);
        depths = List.copyOf(depths);
        requests = List.copyOf(requests);
    }

    static DeviceUse none(String device) {
        return new DeviceUse(
                0,
                "",
                device,
                0,
                List.of(PoolWaits.NONE, PoolWaits.NONE),
                List.of(0L, 0L),
                Collections.nCopies(ReportLayout.DEPTHS, 0L),
                Collections.nCopies(Operation.values().length, Requests.none()));
    }

    /** Both together, whose depth at the same time is not known: the deeper. */
    DeviceUse plus(DeviceUse other) {
        List<PoolWaits> waits = new ArrayList<>();
        for (int i = 0; i < pool.size(); i++) {
            waits.add(pool.get(i).plus(other.pool.get(i)));
        }
        List<Requests> sums = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            sums.add(requests.get(i).plus(other.requests.get(i)));
        }
        return new DeviceUse(
                0,
                program,
                device,
                Math.max(maxDepth, other.maxDepth),
                waits,
                sum(congested, other.congested),
                sum(depths, other.depths),
                sums);
    }

    private static List<Long> sum(List<Long> some, List<Long> others) {
        List<Long> sums = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            sums.add(some.get(i) + others.get(i));
        }
        return sums;
    }

    Requests of(Operation operation) {
        return requests.get(operation.index());
    }

    long congestedSubmissions() {
        return congested.get(0) + congested.get(1);
    }
}
