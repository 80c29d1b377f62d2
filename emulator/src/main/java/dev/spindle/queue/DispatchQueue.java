package dev.spindle.queue;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import dev.spindle.queue.elevator.Elevator;
import dev.spindle.queue.elevator.ElevatorSettings;
import dev.spindle.time.DeviceClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything between pool and drive: the plug, the elevator, and the dispatch list behind it
 * (elevator.c of Linux 2.6). Owned by the loop that owns the device.
 *
 * <p>A FLUSH is a barrier: what came before it leaves the elevator for the dispatch list, in the
 * elevator's order, and the FLUSH follows; what comes later cannot overtake it.
 */
final class DispatchQueue {
    private static final int NO_ELEVATOR = -1;

    private final ArrayDeque<DriveCommand> dispatchList = new ArrayDeque<>();
    private final QueueTap tap;
    private ElevatorSettings elevatorSettings;
    private PlugSettings plugSettings;
    private Elevator elevator;
    private int elevatorId;
    private boolean isHeldBack;
    private boolean isPlugged;
    private long pluggedNs;
    private long releasedNs;

    DispatchQueue(ElevatorSettings elevatorSettings, PlugSettings plugSettings, QueueTap tap) {
        this.tap = tap;
        this.elevatorSettings = elevatorSettings;
        this.plugSettings = plugSettings;
        elevator = elevatorSettings.open();
    }

    @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return elevator.merge(part, maxSectors);
    }

    @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        return elevator.absorbNeighbour(joined, maxSectors);
    }

    void add(DriveCommand command, long nowNs) {
        if (plugSettings.isTimed() && size() == 0 && !isPlugged) {
            isPlugged = true;
            pluggedNs = nowNs;
            tap.plug(PlugStep.PLUGGED, 0, command.submitterId(), nowNs);
        }
        tap.command(CommandStep.INSERTED, command, nowNs);
        if (command.operation() == BlockOperation.FLUSH) {
            drainElevator(nowNs);
            dispatchList.addLast(command);
            unplug(PlugStep.UNPLUGGED, command.submitterId(), nowNs);
        } else {
            elevator.add(command, nowNs);
        }
        if (command.isFua() || size() >= plugSettings.threshold()) {
            unplug(PlugStep.UNPLUGGED, command.submitterId(), nowNs);
        }
    }

    /** Before all that waits, and no business of the elevator's (ELEVATOR_INSERT_FRONT). */
    void addFirst(DriveCommand command, long nowNs) {
        tap.command(CommandStep.INSERTED, command, nowNs);
        command.handedOutBy(NO_ELEVATOR);
        dispatchList.addFirst(command);
        unplug(PlugStep.UNPLUGGED, command.submitterId(), nowNs);
    }

    private void drainElevator(long nowNs) {
        for (DriveCommand next = elevator.forceNext(nowNs);
                next != null;
                next = elevator.forceNext(nowNs)) {
            next.handedOutBy(elevatorId);
            dispatchList.addLast(next);
        }
    }

    /** Somebody waits: what is queued goes at once. */
    void unplug(PlugStep how, int submitterId, long nowNs) {
        if (isPlugged) {
            isPlugged = false;
            tap.plug(how, size(), submitterId, nowNs);
            releasedNs = nowNs;
        }
    }

    @Nullable DriveCommand next(long nowNs) {
        if (isPlugged) {
            return null;
        }
        DriveCommand listed = dispatchList.pollFirst();
        if (listed != null) {
            return listed;
        }
        if (elevator.size() == 0) {
            return null;
        }
        DriveCommand chosen = elevator.next(nowNs);
        if (chosen == null) {
            isHeldBack = true;
            return null;
        }
        if (isHeldBack) {
            isHeldBack = false;
            releasedNs = nowNs;
        }
        chosen.handedOutBy(elevatorId);
        return chosen;
    }

    /** One that an elevator no longer in use handed out is none of its successor's business. */
    void completed(DriveCommand command, long nowNs) {
        if (command.elevatorId() == elevatorId && command.operation() != BlockOperation.FLUSH) {
            elevator.completed(command, nowNs);
        }
    }

    /** When to {@link #expire}. */
    long nextDeadlineNs() {
        return isPlugged
                ? pluggedNs + plugSettings.delayNs()
                : dispatchList.isEmpty() ? elevator.nextDeadlineNs() : DeviceClock.NEVER;
    }

    void expire(long nowNs) {
        if (nextDeadlineNs() - nowNs > 0) {
            return;
        }
        if (isPlugged) {
            unplug(PlugStep.UNPLUGGED_BY_TIMER, 0, nowNs);
        } else {
            elevator.expire(nowNs);
        }
    }

    /** Nothing that waits was free to go before. */
    long releasedNs() {
        return releasedNs;
    }

    boolean exempts(int submitterId, boolean isWrite, int nrRequests) {
        return elevator.exempts(submitterId, isWrite, nrRequests);
    }

    int size() {
        return dispatchList.size() + elevator.size();
    }

    /** A new elevator takes over what waits, in the order it came. */
    void apply(ElevatorSettings newElevator, PlugSettings newPlug, long nowNs) {
        if (!newPlug.equals(plugSettings)) {
            plugSettings = newPlug;
            unplug(PlugStep.UNPLUGGED, 0, nowNs);
        }
        if (newElevator.equals(elevatorSettings)) {
            return;
        }
        List<DriveCommand> waiting = new ArrayList<>(elevator.size());
        for (DriveCommand next = elevator.forceNext(nowNs);
                next != null;
                next = elevator.forceNext(nowNs)) {
            waiting.add(next);
        }
        waiting.sort(Comparator.comparingLong(DriveCommand::queuedNs));
        elevatorSettings = newElevator;
        elevator = newElevator.open();
        elevatorId++;
        waiting.forEach(command -> elevator.add(command, command.queuedNs()));
        releasedNs = nowNs;
    }
}
