package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completely fair queueing as of Linux 2.6.11, before time slices: a queue for each submitter, and
 * rounds in which each busy one gives one command in turn, first those of which the drive has none,
 * until {@code quantum} are collected. The commands of a round go to the drive by sector, upwards
 * from the head.
 *
 * <p>The request pool is shared out likewise: a submitter may exceed it up to its share, but at
 * least {@code queued} requests.
 */
final class CfqElevator implements Elevator, Merging.Owner {
    /** How often a queue's deadlines are looked at (cfq_fifo_rate). */
    private static final long FIFO_CHECK_NS = 125_000_000;

    private final ElevatorSettings.Cfq settings;
    private final HeadChoice head;
    private final Map<Integer, ProcessQueue> queues = new HashMap<>();
    private final ArrayList<ProcessQueue> busy = new ArrayList<>();
    private final ArrayDeque<DriveCommand> round = new ArrayDeque<>();
    private final Merging merging = new Merging(this);
    private long headSector;
    private int waiting;

    CfqElevator(ElevatorSettings.Cfq settings) {
        this.settings = settings;
        head = new HeadChoice(2L * settings.backMaxKb(), settings.backPenalty());
    }

    @Override
    public @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        return waiting == 0 ? null : merging.merge(part, maxSectors);
    }

    @Override
    public @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        return merging.absorbNeighbour(joined, maxSectors);
    }

    @Override
    public void beforeMove(Waiting moving) {
        owner(moving).beforeMove(moving);
    }

    @Override
    public void afterMove(Waiting moved) {
        owner(moved).afterMove(moved);
    }

    @Override
    public void absorbed(Waiting gone, Waiting into) {
        ProcessQueue queue = owner(gone);
        into.deadlineNs = Math.min(into.deadlineNs, gone.deadlineNs);
        queue.absorbed(gone);
        waiting--;
        if (queue.isEmpty()) {
            busy.remove(queue);
            forgetIfIdle(queue);
        }
    }

    private ProcessQueue owner(Waiting of) {
        return Objects.requireNonNull(queues.get(of.command.submitterId()));
    }

    @Override
    public void add(DriveCommand command, long nowNs) {
        boolean isWrite = command.operation().isWrite();
        long expireNs = isWrite ? settings.writeExpireNs() : settings.readExpireNs();
        Waiting added = new Waiting(command, nowNs + expireNs);
        ProcessQueue queue =
                queues.computeIfAbsent(command.submitterId(), id -> new ProcessQueue(id, nowNs));
        if (queue.isEmpty()) {
            busy.addLast(queue);
        }
        queue.add(added, head, headSector);
        merging.add(added);
        waiting++;
    }

    @Override
    public @Nullable DriveCommand next(long nowNs) {
        if (round.isEmpty() && waiting > 0) {
            collectRound(nowNs);
        }
        return round.pollFirst();
    }

    @Override
    public @Nullable DriveCommand forceNext(long nowNs) {
        return next(nowNs);
    }

    private void collectRound(long nowNs) {
        List<Waiting> chosen = new ArrayList<>(settings.quantum());
        boolean isFirstPass = true;
        long roundHead = headSector;
        do {
            pass(chosen, isFirstPass, nowNs);
            isFirstPass = false;
        } while (chosen.size() < settings.quantum() && waiting > 0);
        chosen.sort((one, other) -> sweep(one, other, roundHead));
        chosen.forEach(taken -> round.addLast(taken.command));
    }

    /** One command of each busy queue; in the first pass only of those the drive has nothing of. */
    private void pass(List<Waiting> chosen, boolean isFirstPass, long nowNs) {
        List<ProcessQueue> served = new ArrayList<>();
        for (Iterator<ProcessQueue> each = busy.iterator(); each.hasNext(); ) {
            ProcessQueue queue = each.next();
            if (isFirstPass && queue.inFlight() > 0) {
                continue;
            }
            if (chosen.size() >= settings.quantum()) {
                break;
            }
            Waiting taken = queue.choose(settings, FIFO_CHECK_NS, nowNs);
            headSector = taken.command.endSector();
            queue.handOut(taken, head);
            merging.remove(taken);
            waiting--;
            chosen.add(taken);
            each.remove();
            if (!queue.isEmpty()) {
                served.add(queue);
            }
        }
        busy.addAll(served);
    }

    private static int sweep(Waiting one, Waiting other, long from) {
        boolean isOneAhead = one.firstSector() >= from;
        boolean isOtherAhead = other.firstSector() >= from;
        return isOneAhead == isOtherAhead
                ? Long.compare(one.firstSector(), other.firstSector())
                : isOneAhead ? -1 : 1;
    }

    @Override
    public void completed(DriveCommand command, long nowNs) {
        ProcessQueue queue = Objects.requireNonNull(queues.get(command.submitterId()));
        queue.completed(command.operation().isWrite());
        forgetIfIdle(queue);
    }

    private void forgetIfIdle(ProcessQueue queue) {
        if (queue.isEmpty() && queue.inFlight() == 0) {
            queues.remove(queue.submitterId);
        }
    }

    @Override
    public boolean exempts(int submitterId, boolean isWrite, int nrRequests) {
        ProcessQueue queue = queues.get(submitterId);
        int share = Math.max(settings.queued(), nrRequests / Math.max(1, busy.size()));
        return queue == null || queue.allocated(isWrite) < share;
    }

    @Override
    public int size() {
        return waiting + round.size();
    }
}
