package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * Upwards by sector in batches of one direction, with a deadline for each command (Linux 2.6.11
 * deadline-iosched).
 *
 * <p>Reads are preferred to writes, but only {@code writes_starved} batches in a row. When a batch
 * begins, a command of its direction whose deadline has passed comes first; otherwise the sweep
 * goes on, or begins anew at the lowest sector. A batch ends after {@code fifo_batch} commands, or
 * at the first that does not follow on from the one before.
 */
final class DeadlineElevator implements Elevator {
    private final ElevatorSettings.Deadline settings;
    private final TwoDirections waiting = new TwoDirections();
    private int starved;
    private int batching;
    private long lastSector;

    DeadlineElevator(ElevatorSettings.Deadline settings) {
        this.settings = settings;
    }

    @Override
    public @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return waiting.merge(part, maxSectors);
    }

    @Override
    public @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        return waiting.absorbNeighbour(joined, maxSectors);
    }

    @Override
    public void add(DriveCommand command, long nowNs) {
        boolean isWrite = command.operation().isWrite();
        long expireNs = isWrite ? settings.writeExpireNs() : settings.readExpireNs();
        waiting.add(command, nowNs + expireNs);
    }

    @Override
    public @Nullable DriveCommand next(long nowNs) {
        Waiting chosen = withinBatch();
        if (chosen == null && waiting.size() > 0) {
            chosen = beginBatch(direction(), nowNs);
        }
        return chosen == null ? null : handOut(chosen);
    }

    @Override
    public @Nullable DriveCommand forceNext(long nowNs) {
        return next(nowNs);
    }

    private @Nullable Waiting withinBatch() {
        Waiting write = waiting.following(Waiting.WRITE);
        Waiting following = write != null ? write : waiting.following(Waiting.READ);
        if (following != null && following.firstSector() != lastSector) {
            batching += settings.fifoBatch();
        }
        return batching < settings.fifoBatch() ? following : null;
    }

    private int direction() {
        boolean hasWrites = waiting.has(Waiting.WRITE);
        if (waiting.has(Waiting.READ)) {
            if (!hasWrites || starved < settings.writesStarved()) {
                starved += hasWrites ? 1 : 0;
                return Waiting.READ;
            }
        }
        starved = 0;
        return Waiting.WRITE;
    }

    private @Nullable Waiting beginBatch(int direction, long nowNs) {
        Waiting oldest = waiting.oldest(direction);
        if (oldest != null && nowNs - oldest.deadlineNs > 0) {
            batching = 0;
            return oldest;
        }
        Waiting following = waiting.following(direction);
        if (following != null) {
            return following;
        }
        batching = 0;
        return waiting.lowest(direction);
    }

    private DriveCommand handOut(Waiting chosen) {
        batching++;
        waiting.follow(Waiting.READ, null);
        waiting.follow(Waiting.WRITE, null);
        lastSector = chosen.command.endSector();
        return waiting.take(chosen, (handedOut, order) -> order.after(handedOut));
    }

    @Override
    public int size() {
        return waiting.size();
    }
}
