package dev.spindle.queue;

import java.util.ArrayList;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The free requests of one direction, as Linux 2.6 kept them (ll_rw_blk.c, get_request and
 * freed_request).
 *
 * <p>A pool of {@code nr_requests} is not a hard limit. Whoever takes the last one marks the pool
 * full and becomes a batcher: for 20 ms it may take up to 32 more, so that it queues a run of
 * sectors instead of alternating with others one by one. Everybody else sleeps. A freed request
 * wakes one sleeper, in the order they fell asleep (or another, see {@link WakePolicy}), once the
 * count is below nr; it wakes as a batcher. So under load the count saws between nr - 1 and nr +
 * 31. With the hard cap (Linux 2.6.13 on) even a batcher is refused at 3/2 nr.
 *
 * <p>Owned by the loop that owns the device.
 */
final class RequestPool {
    static final int BATCH_REQUESTS = 32;
    static final long BATCH_NS = 20_000_000;

    private final ArrayList<Submitter> sleepers = new ArrayList<>();
    private WakePolicy policy;
    private SplittableRandom random;
    private int nrRequests;
    private boolean hasHardCap;
    private int count;
    private boolean isFull;

    RequestPool(int nrRequests, boolean hasHardCap, WakePolicy policy) {
        this.policy = policy;
        random = new SplittableRandom(policy.seed());
        this.nrRequests = nrRequests;
        this.hasHardCap = hasHardCap;
    }

    /** Requests taken and not yet freed. */
    int count() {
        return count;
    }

    int sleeping() {
        return sleepers.size();
    }

    /**
     * Takes one if the submitter may have it.
     *
     * @param isExempt the elevator wants it to go on although the pool is full
     */
    boolean tryTake(Submitter submitter, boolean isExempt, long nowNs) {
        if (count + 1 >= nrRequests && !isFull) {
            isFull = true;
            if (!submitter.isBatcher(nowNs)) {
                submitter.becomeBatcher(nowNs);
            }
        }
        boolean isBatcher = submitter.isBatcher(nowNs);
        if ((isFull && !isBatcher && !isExempt) || (hasHardCap && count >= 3 * nrRequests / 2)) {
            return false;
        }
        if (isBatcher) {
            submitter.useBatch();
        }
        count++;
        return true;
    }

    void sleep(Submitter submitter) {
        sleepers.addLast(submitter);
    }

    void free() {
        assert count > 0;
        count--;
        if (count + 1 <= nrRequests) {
            isFull = false;
        }
    }

    /**
     * After a free or a change of size: the sleeper to wake, already a batcher, or null if nobody
     * is to be woken.
     */
    @Nullable Submitter wake(long nowNs) {
        if (count + 1 > nrRequests || sleepers.isEmpty()) {
            return null;
        }
        Submitter woken = sleepers.remove(nextSleeper());
        if (!woken.isBatcher(nowNs)) {
            woken.becomeBatcher(nowNs);
        }
        return woken;
    }

    private int nextSleeper() {
        return switch (policy.order()) {
            case FIFO -> 0;
            case LIFO -> sleepers.size() - 1;
            case RANDOM -> random.nextInt(sleepers.size());
        };
    }

    /** A policy that has not changed goes on with its sequence of choices. */
    void wakeBy(WakePolicy newPolicy) {
        if (!newPolicy.equals(policy)) {
            policy = newPolicy;
            random = new SplittableRandom(newPolicy.seed());
        }
    }

    void resize(int newNrRequests, boolean newHardCap) {
        nrRequests = newNrRequests;
        hasHardCap = newHardCap;
        isFull = count + 1 > nrRequests;
    }
}
