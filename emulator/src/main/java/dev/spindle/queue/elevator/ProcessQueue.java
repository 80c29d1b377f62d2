package dev.spindle.queue.elevator;

import org.jspecify.annotations.Nullable;

/** The commands of one submitter in the cfq elevator. */
final class ProcessQueue {
    final int submitterId;
    final SectorOrder order = new SectorOrder();
    private final Fifo[] fifos = {new Fifo(), new Fifo()};
    private final int[] allocated = new int[2];
    private @Nullable Waiting following;
    private int inFlight;
    private long lastFifoCheckNs;

    ProcessQueue(int submitterId, long nowNs) {
        this.submitterId = submitterId;
        lastFifoCheckNs = nowNs;
    }

    void add(Waiting waiting, HeadChoice head, long headSector) {
        order.add(waiting);
        fifos[waiting.direction].add(waiting);
        allocated[waiting.direction]++;
        following = head.of(following, waiting, headSector);
    }

    /** Its first sector is about to change. */
    void beforeMove(Waiting waiting) {
        order.remove(waiting);
    }

    void afterMove(Waiting waiting) {
        order.add(waiting);
    }

    void absorbed(Waiting gone) {
        if (following == gone) {
            following = order.after(gone) != null ? order.after(gone) : order.before(gone);
        }
        allocated[gone.direction]--;
        order.remove(gone);
        fifos[gone.direction].remove(gone);
    }

    /** The next one: of those overdue the oldest, else the one the head had better go to. */
    Waiting choose(ElevatorSettings.Cfq settings, long checkEveryNs, long nowNs) {
        if (nowNs - lastFifoCheckNs >= checkEveryNs) {
            for (Fifo fifo : fifos) {
                Waiting oldest = fifo.oldest();
                if (oldest != null && nowNs - oldest.deadlineNs > 0) {
                    lastFifoCheckNs = nowNs;
                    return oldest;
                }
            }
        }
        Waiting chosen = following != null ? following : order.first();
        assert chosen != null : "asked for a command of an empty queue";
        return chosen;
    }

    void handOut(Waiting waiting, HeadChoice head) {
        following = head.after(waiting, order);
        order.remove(waiting);
        fifos[waiting.direction].remove(waiting);
        inFlight++;
    }

    void completed(boolean isWrite) {
        inFlight--;
        allocated[isWrite ? Waiting.WRITE : Waiting.READ]--;
    }

    int allocated(boolean isWrite) {
        return allocated[isWrite ? Waiting.WRITE : Waiting.READ];
    }

    int inFlight() {
        return inFlight;
    }

    boolean isEmpty() {
        return order.isEmpty();
    }
}
