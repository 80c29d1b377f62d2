package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * What the deadline and the anticipatory elevator have in common: reads and writes apart, each by
 * sector and by age, and for each the command the head would come to next.
 */
final class TwoDirections implements Merging.Owner {
    /** Chooses which command of the direction is next after the one just handed out. */
    interface Successor {
        @Nullable Waiting after(Waiting handedOut, SectorOrder order);
    }

    private final SectorOrder[] orders = {new SectorOrder(), new SectorOrder()};
    private final Fifo[] fifos = {new Fifo(), new Fifo()};
    private final @Nullable Waiting[] following = new Waiting[2];
    private final Merging merging = new Merging(this);

    @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return size() == 0 ? null : merging.merge(part, maxSectors);
    }

    @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        return merging.absorbNeighbour(joined, maxSectors);
    }

    @Override
    public void beforeMove(Waiting waiting) {
        orders[waiting.direction].remove(waiting);
    }

    @Override
    public void afterMove(Waiting waiting) {
        orders[waiting.direction].add(waiting);
    }

    @Override
    public void absorbed(Waiting gone, Waiting into) {
        int direction = gone.direction;
        if (following[direction] == gone) {
            following[direction] = into;
        }
        orders[direction].remove(gone);
        if (gone.deadlineNs - into.deadlineNs < 0) {
            into.deadlineNs = gone.deadlineNs;
            fifos[direction].takePlace(into, gone);
        } else {
            fifos[direction].remove(gone);
        }
    }

    Waiting add(DriveCommand command, long deadlineNs) {
        Waiting waiting = new Waiting(command, deadlineNs);
        orders[waiting.direction].add(waiting);
        fifos[waiting.direction].add(waiting);
        merging.add(waiting);
        return waiting;
    }

    /** Hands it out; what follows it in its direction is the successor's choice. */
    DriveCommand take(Waiting waiting, Successor successor) {
        int direction = waiting.direction;
        following[direction] = successor.after(waiting, orders[direction]);
        orders[direction].remove(waiting);
        fifos[direction].remove(waiting);
        merging.remove(waiting);
        return waiting.command;
    }

    boolean has(int direction) {
        return !fifos[direction].isEmpty();
    }

    @Nullable Waiting oldest(int direction) {
        return fifos[direction].oldest();
    }

    @Nullable Waiting lowest(int direction) {
        return orders[direction].first();
    }

    @Nullable Waiting following(int direction) {
        return following[direction];
    }

    void follow(int direction, @Nullable Waiting waiting) {
        following[direction] = waiting;
    }

    int size() {
        return fifos[Waiting.READ].size() + fifos[Waiting.WRITE].size();
    }
}
