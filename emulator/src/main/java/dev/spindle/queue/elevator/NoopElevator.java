package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/** First in, first out, with a merge search over the whole queue (Linux 2.6 noop-iosched). */
final class NoopElevator implements Elevator, Merging.Owner {
    private final Fifo fifo = new Fifo();
    private final Merging merging = new Merging(this);

    @Override
    public @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return fifo.isEmpty() ? null : merging.merge(part, maxSectors);
    }

    @Override
    public @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        return merging.absorbNeighbour(joined, maxSectors);
    }

    @Override
    public void absorbed(Waiting gone, Waiting into) {
        fifo.remove(gone);
    }

    @Override
    public void add(DriveCommand command, long nowNs) {
        Waiting waiting = new Waiting(command, nowNs);
        fifo.add(waiting);
        merging.add(waiting);
    }

    @Override
    public @Nullable DriveCommand next(long nowNs) {
        Waiting oldest = fifo.oldest();
        if (oldest == null) {
            return null;
        }
        fifo.remove(oldest);
        merging.remove(oldest);
        return oldest.command;
    }

    @Override
    public @Nullable DriveCommand forceNext(long nowNs) {
        return next(nowNs);
    }

    @Override
    public int size() {
        return fifo.size();
    }
}
