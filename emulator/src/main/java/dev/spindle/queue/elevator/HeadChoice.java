package dev.spindle.queue.elevator;

import org.jspecify.annotations.Nullable;

/**
 * Which of two commands the head had better go to: the nearer one ahead, where a step back costs
 * {@code backPenalty} steps, and further back than {@code backMaxSectors} only when nothing else is
 * left (as_choose_req and cfq_choose_req of Linux 2.6).
 */
record HeadChoice(long backMaxSectors, int backPenalty) {
    private static final long WRAPPED = Long.MAX_VALUE;

    @Nullable Waiting of(@Nullable Waiting one, @Nullable Waiting other, long headSector) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        long oneCost = cost(one.firstSector(), headSector);
        long otherCost = cost(other.firstSector(), headSector);
        if (oneCost != otherCost) {
            return oneCost < otherCost ? one : other;
        }
        return one.firstSector() <= other.firstSector() ? one : other;
    }

    private long cost(long sector, long headSector) {
        if (sector >= headSector) {
            return sector - headSector;
        }
        long back = headSector - sector;
        return back <= backMaxSectors ? back * backPenalty : WRAPPED;
    }

    /** What to go to after one that is about to leave the order. */
    @Nullable Waiting after(Waiting leaving, SectorOrder order) {
        Waiting above = order.after(leaving);
        Waiting below = order.before(leaving);
        if (above == null) {
            Waiting lowest = order.first();
            above = lowest == leaving ? null : lowest;
        }
        return of(above, below, leaving.command.endSector());
    }
}
