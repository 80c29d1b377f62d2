package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One stream of requests that waits as one: a process in io_submit, an NBD session. It holds what
 * the kernel keeps in an I/O context, the right to batch, and, in order, those of its requests that
 * have not got all they need from the pool.
 *
 * <p>Owned by the loop that owns the device. Whoever publishes bounds the number of its requests in
 * flight; while {@link #isWaiting()} it should take in no more, and the listener says when that is
 * over.
 */
public final class Submitter {
    private final String name;
    private final Runnable onAdmitted;
    private final ArrayDeque<BlockRequest> backlog = new ArrayDeque<>();
    private int id;
    private int batchRequests;
    private long batchSinceNs;
    private long asleepSinceNs;

    /**
     * {@code onAdmitted} runs on the owning loop each time the last waiting request has been
     * admitted; it must not throw.
     */
    public Submitter(String name, Runnable onAdmitted) {
        this.name = name;
        this.onAdmitted = onAdmitted;
    }

    /** One that nobody asks for by name. */
    public Submitter(Runnable onAdmitted) {
        this("unnamed", onAdmitted);
    }

    public static Submitter thatNeedsNoNews() {
        return new Submitter(() -> {});
    }

    /** Whom a counter blames: a process, a connection. */
    public String name() {
        return name;
    }

    /** True while a request of it sleeps for want of a free one in the pool. */
    public boolean isWaiting() {
        return !backlog.isEmpty();
    }

    /** Its number with its device, given by the machine it first comes to; 0 before. */
    public int id() {
        return id;
    }

    /** Gives it its number; by the machine it first comes to. */
    public void numbered(int newId) {
        id = newId;
    }

    // The machine's side: called by the queue or the packet writer that lets its requests in.

    /** One more request that has to wait, behind those that do already. */
    public void enqueue(BlockRequest request) {
        backlog.addLast(request);
    }

    public @Nullable BlockRequest head() {
        return backlog.peekFirst();
    }

    /** The head has been admitted whole. */
    public void removeHead() {
        backlog.removeFirst();
    }

    public void fellAsleep(long nowNs) {
        asleepSinceNs = nowNs;
    }

    public long sleptNs(long nowNs) {
        return nowNs - asleepSinceNs;
    }

    /** No request of it waits any more. */
    public void announceAdmission() {
        onAdmitted.run();
    }

    void becomeBatcher(long nowNs) {
        batchRequests = RequestPool.BATCH_REQUESTS;
        batchSinceNs = nowNs;
    }

    /** A batcher may always take one; more only while its batch is fresh. */
    boolean isBatcher(long nowNs) {
        return batchRequests == RequestPool.BATCH_REQUESTS
                || (batchRequests > 0 && nowNs - batchSinceNs < RequestPool.BATCH_NS);
    }

    void useBatch() {
        batchRequests--;
    }
}
