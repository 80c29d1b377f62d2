package dev.spindle.queue;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.drive.Drive;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.DriveSettings;
import dev.spindle.drive.RequestPart;
import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The request queue in front of a drive, as the block layer of Linux 2.6 kept it.
 *
 * <pre>
 *   submit -> cut by max_sectors_kb -> joined to a waiting command, or a free request taken -> elevator -> drive
 *                                         none free: the submitter sleeps, in order, until one is
 * </pre>
 *
 * <p>A request is cut while it is admitted, so a long one may be half in the elevator, half asleep.
 * When a command ends its request is freed, which may wake one sleeper (see {@link RequestPool}).
 *
 * <p>A pure machine: no thread, no clock, no socket. {@link #submit} and {@link #advance} are told
 * the time; {@link #nextDeadlineNs} says when to call again. A completion is dealt with at the
 * moment the drive ended the command, even if the caller comes late, and the drive goes on from
 * that moment: lateness of the caller does not add up.
 */
public final class RequestQueue implements RequestMachine {
    private final Drive drive;
    private final Counters counters;
    private final RequestAccounts accounts;
    private final DiskStatistics statistics = new DiskStatistics();
    private final QueueTap tap = new QueueTap();
    private final DispatchQueue commands;
    private final QueueSide reads;
    private final QueueSide writes;
    private final ArrayDeque<DriveCommand> freeCommands = new ArrayDeque<>();
    private final ArrayDeque<RequestPart> freeParts = new ArrayDeque<>();
    private QueueSettings settings;
    private long driveIdleSinceNs;
    private int submitters;

    public RequestQueue(QueueSettings settings, Drive drive, Counters counters) {
        this.settings = settings;
        this.drive = drive;
        this.counters = counters;
        accounts = new RequestAccounts(counters);
        reads = new QueueSide(settings, counters, Counter.READ_CONGESTED);
        writes = new QueueSide(settings, counters, Counter.WRITE_CONGESTED);
        commands = new DispatchQueue(settings.elevator(), settings.plug(), tap);
    }

    /**
     * Takes a request in; whether it had to wait for the pool, the submitter tells. Call {@link
     * #advance} after a batch.
     */
    @Override
    public void submit(BlockRequest request, Submitter submitter, long nowNs) {
        request.submitted(nowNs);
        if (submitter.id() == 0) {
            submitter.numbered(++submitters);
        }
        tap.request(BioStep.QUEUED, request, submitter, nowNs);
        if (submitter.isWaiting()) {
            submitter.enqueue(request);
        } else if (!admit(request, submitter, false, nowNs)) {
            if (request.isReadAhead()) {
                giveUp(request, submitter, nowNs);
                return;
            }
            submitter.enqueue(request);
            sleep(submitter, request, nowNs);
        }
        if (request.isAwaited()) {
            commands.unplug(PlugStep.UNPLUGGED, submitter.id(), nowNs);
        }
    }

    /** Somebody waits for what has been submitted: a plugged queue goes to work at once. */
    public void unplug(long nowNs) {
        commands.unplug(PlugStep.UNPLUGGED, 0, nowNs);
    }

    @Override
    public void listen(@Nullable QueueListener listener) {
        tap.listen(listener);
    }

    /** Gives the drive what it can take, and completes what it has ended by {@code nowNs}. */
    @Override
    public void advance(long nowNs) {
        for (long dueNs = nextDeadlineNs(); dueNs - nowNs < 0; dueNs = nextDeadlineNs()) {
            advanceTo(dueNs, nowNs);
        }
        advanceTo(nowNs, nowNs);
    }

    /** The moment of something due; the caller may be late for it. */
    private void advanceTo(long atNs, long nowNs) {
        commands.expire(atNs);
        dispatch(atNs);
        for (DriveCommand ended = drive.poll(atNs); ended != null; ended = drive.poll(atNs)) {
            driveIdleSinceNs = ended.completedNs();
            if (driveIdleSinceNs != nowNs) {
                accounts.latencies().late(nowNs - driveIdleSinceNs);
            }
            finish(ended);
            dispatch(driveIdleSinceNs);
        }
    }

    /**
     * When to call {@link #advance} again; {@link dev.spindle.time.DeviceClock#NEVER} when only a
     * new request can matter.
     */
    @Override
    public long nextDeadlineNs() {
        return Math.min(drive.nextDeadlineNs(), commands.nextDeadlineNs());
    }

    public QueueSettings settings() {
        return settings;
    }

    /**
     * Changes the tunables: flags are set anew and whoever need sleep no longer is woken, at once.
     */
    public void apply(QueueSettings newSettings, long nowNs) {
        settings = newSettings;
        commands.apply(newSettings.elevator(), newSettings.plug(), nowNs);
        for (QueueSide side : new QueueSide[] {reads, writes}) {
            side.apply(newSettings);
            wakeSleepers(side, nowNs);
        }
        advance(nowNs);
    }

    public DriveSettings driveSettings() {
        return drive.settings();
    }

    public void apply(DriveSettings newSettings) {
        drive.apply(newSettings);
    }

    public QueueState state() {
        return new QueueState(
                reads.pool().count(),
                writes.pool().count(),
                reads.pool().sleeping(),
                writes.pool().sleeping(),
                reads.isCongested(),
                writes.isCongested(),
                commands.size());
    }

    @Override
    public boolean isCongested(boolean isWrite) {
        return (isWrite ? writes : reads).isCongested();
    }

    @Override
    public Counters counters() {
        return counters;
    }

    public DiskStatistics statistics() {
        return statistics;
    }

    @Override
    public QueueLatencies latencies() {
        return accounts.latencies();
    }

    /**
     * Cuts and admits as much as the pool allows; true when all of it is in.
     *
     * @param isCut the first part has been cut off before, and then found no room
     */
    private boolean admit(BlockRequest request, Submitter submitter, boolean isCut, long nowNs) {
        QueueSide side = side(request);
        boolean isCutKnown = isCut;
        do {
            RequestPart part = nextPart(request);
            if (!isCutKnown) {
                tap.cut(part, submitter, nowNs);
            }
            isCutKnown = false;
            DriveCommand joined =
                    request.isPassThrough() ? null : commands.merge(part, settings.maxSectors());
            if (joined != null) {
                counters.increment(Counter.MERGES);
                statistics.merged(part.request().operation());
                tap.merged(part, joined, submitter, nowNs);
                absorbNeighbour(joined, side);
            } else if (side.pool().tryTake(submitter, isExempt(request, submitter), nowNs)) {
                side.updateFlag();
                tap.part(BioStep.GOT_REQUEST, part, submitter, nowNs);
                insert(request, newCommand().begin(part, nowNs).chargedTo(submitter.id()), nowNs);
            } else {
                if (!request.isReadAhead() || submitter.isWaiting()) {
                    tap.part(BioStep.SLEPT, part, submitter, nowNs);
                }
                part.clear();
                freeParts.addFirst(part);
                return false;
            }
            request.admitPart(part.lengthBytes(), nowNs);
            counters.increment(Counter.PARTS);
        } while (!request.isAdmitted());
        return true;
    }

    private void insert(BlockRequest request, DriveCommand command, long nowNs) {
        if (request.isPassThrough()) {
            commands.addFirst(command, nowNs);
        } else {
            commands.add(command, nowNs);
        }
    }

    /** A part that fills a gap makes two commands one; the pool gets one back. */
    private void absorbNeighbour(DriveCommand joined, QueueSide side) {
        DriveCommand gone = commands.absorbNeighbour(joined, settings.maxSectors());
        if (gone != null) {
            side.pool().free();
            side.updateFlag();
            freeCommands.addFirst(gone);
        }
    }

    private boolean isExempt(BlockRequest request, Submitter submitter) {
        return commands.exempts(
                submitter.id(), request.operation().isWrite(), settings.nrRequests());
    }

    private void giveUp(BlockRequest request, Submitter submitter, long nowNs) {
        boolean hasEnded = request.cutShort(BlockStatus.WOULD_BLOCK);
        tap.cutShort(request, submitter, nowNs);
        if (hasEnded) {
            request.complete(nowNs);
        }
    }

    private RequestPart nextPart(BlockRequest request) {
        long left = request.lengthBytes() - request.admittedBytes();
        boolean isCut = request.operation().isTransfer() && !request.isPassThrough();
        long most = isCut ? settings.maxSectorsKb() * 1024L : left;
        RequestPart free = freeParts.pollFirst();
        RequestPart part = free == null ? new RequestPart() : free;
        return part.set(
                request, request.offsetBytes() + request.admittedBytes(), Math.min(left, most));
    }

    private DriveCommand newCommand() {
        DriveCommand free = freeCommands.pollFirst();
        return free == null ? new DriveCommand() : free;
    }

    private void dispatch(long atNs) {
        while (drive.isReady()) {
            DriveCommand next = commands.next(atNs);
            if (next == null) {
                return;
            }
            long freeNs = Math.max(driveIdleSinceNs, commands.releasedNs());
            long startNs = Math.max(next.queuedNs(), freeNs);
            tap.command(CommandStep.ISSUED, next, startNs);
            drive.start(next, startNs);
        }
    }

    private void finish(DriveCommand command) {
        long atNs = command.completedNs();
        counters.increment(Counter.COMMANDS);
        statistics.completed(command);
        tap.command(CommandStep.COMPLETED, command, atNs);
        commands.completed(command, atNs);
        QueueSide side = command.operation().isWrite() ? writes : reads;
        side.pool().free();
        side.updateFlag();
        RequestPart part = command.takeParts();
        while (part != null) {
            RequestPart next = part.next();
            BlockRequest request = part.request();
            boolean isLast = request.finishPart(part.status(), part.failedOffsetBytes());
            part.clear();
            freeParts.addFirst(part);
            if (isLast) {
                accounts.complete(request, atNs);
            }
            part = next;
        }
        freeCommands.addFirst(command);
        wakeOne(side, atNs);
    }

    private void sleep(Submitter submitter, BlockRequest request, long nowNs) {
        commands.unplug(PlugStep.UNPLUGGED, submitter.id(), nowNs);
        side(request).pool().sleep(submitter);
        submitter.fellAsleep(nowNs);
        counters.increment(Counter.SLEEPS);
    }

    private void wakeSleepers(QueueSide side, long nowNs) {
        boolean hasWoken;
        do {
            hasWoken = wakeOne(side, nowNs);
        } while (hasWoken);
    }

    private boolean wakeOne(QueueSide side, long nowNs) {
        Submitter woken = side.pool().wake(nowNs);
        if (woken == null) {
            return false;
        }
        counters.add(Counter.SLEEP_NS, woken.sleptNs(nowNs));
        boolean isCut = true;
        for (BlockRequest head = woken.head(); head != null; head = woken.head()) {
            if (!admit(head, woken, isCut, nowNs)) {
                sleep(woken, head, nowNs);
                return true;
            }
            isCut = false;
            woken.removeHead();
        }
        woken.announceAdmission();
        return true;
    }

    private QueueSide side(BlockRequest request) {
        return request.operation().isWrite() ? writes : reads;
    }
}
