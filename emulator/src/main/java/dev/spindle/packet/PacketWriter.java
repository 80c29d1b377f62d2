package dev.spindle.packet;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.BioStep;
import dev.spindle.queue.QueueLatencies;
import dev.spindle.queue.QueueListener;
import dev.spindle.queue.QueueTap;
import dev.spindle.queue.RequestAccounts;
import dev.spindle.queue.RequestMachine;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.Submitter;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The packet writer, as the Linux driver pktcdvd was: a machine stacked on the drive's own request
 * queue. The disc can only be written a packet at a time; the host writes blocks of 2 KiB wherever
 * it likes.
 *
 * <pre>
 *   WRITE -> cut at zones -> a packet in work for the zone, or the write queue
 *   write queue -> a free packet -> WAITING -> READ_WAIT -> WRITE_WAIT -> FINISHED
 *                                   for more   for missing   for the      the host's requests end
 *                                   (5 ms)     frames        drive
 *   READ and all of the packets' reads and writes -> scheduler -> request queue -> drive
 * </pre>
 *
 * <p>The driver had a thread of its own, which began packets, moved them on and fed the drive, in
 * that order, whenever something had happened; {@link #work} is one round of it. While the drive
 * flushes its buffer before it is turned to reading, that thread slept, and nothing moved.
 *
 * <p>A pure machine. {@link #advance} goes from deadline to deadline, so what it does at each is
 * the same whether the caller came in time or late; only time never goes back. Owned by the loop
 * that owns the device.
 */
public final class PacketWriter implements RequestMachine {
    public static final int DEFAULT_PACKETS = 8;

    private PacketDisc disc;
    private final PacketGeometry geometry;
    private final RequestQueue drive;
    private final ReadSpeed readSpeed;
    private final RequestAccounts accounts;
    private final PacketStatistics statistics = new PacketStatistics();
    private final PacketPool packets = new PacketPool();
    private final WriteEntrance entrance;
    private final IoScheduler scheduler = new IoScheduler();
    private final Submitter ownRequests = new Submitter("packet writer", () -> {});
    private final QueueTap tap = new QueueTap();
    private final BlockRequest flush;
    private final ArrayDeque<HostRead> freeReads = new ArrayDeque<>();

    private PacketSettings settings;
    private int submitters;
    private long nowNs;
    private boolean isRunning;
    private boolean hasWork;
    private boolean isFlushing;
    private long currentSector;
    private int readKbPerSecond;

    /**
     * Makes one for a disc.
     *
     * @param packets how many may be in work at once
     * @param drive the queue in front of the drive; nobody else submits to it
     * @param readSpeed the drive's SET SPEED
     * @param counters of the requests that come in here, not the drive's
     */
    public PacketWriter(
            PacketDisc disc,
            int packets,
            PacketSettings settings,
            RequestQueue drive,
            ReadSpeed readSpeed,
            Counters counters) {
        this.disc = disc;
        this.settings = settings;
        this.drive = drive;
        this.readSpeed = readSpeed;
        geometry = disc.geometry();
        readKbPerSecond = disc.writeKbPerSecond();
        accounts = new RequestAccounts(counters);
        entrance = new WriteEntrance(geometry, this.packets, statistics, counters);
        flush = new BlockRequest((_, _) -> flushed());
        ownRequests.numbered(++submitters);
        for (int i = 0; i < packets; i++) {
            this.packets.add(new Packet(geometry, this::packetRequestEnded));
        }
    }

    @Override
    public void submit(BlockRequest request, Submitter submitter, long atNs) {
        if (!isRunning && nextDeadlineNs() <= atNs) {
            advance(atNs);
        }
        nowNs = Math.max(nowNs, atNs);
        request.submitted(atNs);
        if (submitter.id() == 0) {
            submitter.numbered(++submitters);
        }
        tap.request(BioStep.QUEUED, request, submitter, atNs);
        if (submitter.isWaiting()) {
            submitter.enqueue(request);
        } else {
            take(request, submitter);
        }
    }

    /** Told of what comes in here; the drive's queue has a listener of its own. */
    @Override
    public void listen(@Nullable QueueListener listener) {
        tap.listen(listener);
    }

    private void take(BlockRequest request, Submitter submitter) {
        if (request.operation().isWrite() && isNothingToDo(request)) {
            return;
        }
        switch (request.operation()) {
            case WRITE, WRITE_ZEROES -> {
                entrance.submit(request, submitter, settings, nowNs);
                hasWork = true;
            }
            case READ -> {
                HostRead read = hostRead();
                BlockRequest forDrive = read.prepare(request);
                request.admitPart(request.lengthBytes(), nowNs);
                statistics.add(PacketCounter.KB_READ, request.lengthBytes() >> 10);
                scheduler.addHostRead(forDrive);
                hasWork = true;
            }
            case FLUSH -> {
                BlockRequest forDrive = hostRead().prepare(request);
                request.admitPart(0, nowNs);
                drive.submit(forDrive, ownRequests, nowNs);
                hasWork = true;
            }
            case DISCARD, COMMAND -> throw new AssertionError(request);
        }
    }

    /** Ends what needs no drive: a write that may not be, a hint the disc has no use for. */
    private boolean isNothingToDo(BlockRequest request) {
        if (request.operation() == BlockOperation.FLUSH) {
            return false;
        }
        boolean isHint = request.operation() == BlockOperation.DISCARD;
        boolean isRefused = disc.refusal().isPresent();
        if (!isHint && !isRefused && request.lengthBytes() > 0) {
            return false;
        }
        request.admitPart(request.lengthBytes(), nowNs);
        request.started(nowNs);
        request.finishPart(
                isRefused ? BlockStatus.IO_ERROR : BlockStatus.OK, BlockRequest.UNKNOWN_OFFSET);
        complete(request, nowNs);
        return true;
    }

    private HostRead hostRead() {
        HostRead free = freeReads.pollFirst();
        return free == null ? new HostRead(this::hostReadEnded) : free;
    }

    @Override
    public void advance(long untilNs) {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (long dueNs = nextDeadlineNs(); dueNs < untilNs; dueNs = nextDeadlineNs()) {
                accounts.latencies().late(untilNs - dueNs);
                step(dueNs);
            }
            step(untilNs);
        } finally {
            isRunning = false;
        }
    }

    private void step(long atNs) {
        nowNs = Math.max(nowNs, atNs);
        drive.advance(nowNs);
        hasWork |= isPacketDue();
        while (hasWork && !isFlushing) {
            hasWork = false;
            work();
            // The driver unplugged the drive's queue before it went to sleep.
            drive.unplug(nowNs);
            drive.advance(nowNs);
        }
    }

    @Override
    public long nextDeadlineNs() {
        long dueNs = drive.nextDeadlineNs();
        if (!isFlushing) {
            for (Packet packet : packets.active()) {
                if (isWaitingForMore(packet)) {
                    dueNs = Math.min(dueNs, packet.waitsSinceNs() + settings.waitNs());
                }
            }
        }
        return dueNs;
    }

    private boolean isPacketDue() {
        for (Packet packet : packets.active()) {
            if (isWaitingForMore(packet) && hasWaitedEnough(packet)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWaitingForMore(Packet packet) {
        return packet.state() == PacketState.WAITING && !packet.isComplete();
    }

    private boolean hasWaitedEnough(Packet packet) {
        return nowNs - packet.waitsSinceNs() >= settings.waitNs();
    }

    /** One round of the driver's thread. */
    private void work() {
        while (packets.hasFree() && beginPacket()) {
            hasWork = true;
        }
        letIn();
        for (Packet packet : packets.active().toArray(Packet[]::new)) {
            moveOn(packet);
        }
        feedDrive();
    }

    private boolean beginPacket() {
        Long zone = entrance.queue().next(currentSector, packets::isActive);
        if (zone == null) {
            return false;
        }
        Packet packet = packets.take(zone);
        packet.begin(zone, entrance.queue().take(zone), nowNs);
        currentSector = zone + geometry.packetSectors();
        return true;
    }

    /** Wakes those who sleep for want of room, as long as there is room. */
    private void letIn() {
        Submitter woken = entrance.wake(settings, nowNs);
        while (woken != null) {
            hasWork = true;
            if (admitBacklog(woken)) {
                woken.announceAdmission();
            } else {
                entrance.congestion().sleep(woken, nowNs);
            }
            woken = entrance.wake(settings, nowNs);
        }
    }

    private boolean admitBacklog(Submitter submitter) {
        BlockRequest head = submitter.head();
        while (head != null) {
            boolean isWrite =
                    head.operation() == BlockOperation.WRITE
                            || head.operation() == BlockOperation.WRITE_ZEROES;
            if (isWrite && head.lengthBytes() > 0) {
                if (!entrance.admit(head, submitter, settings, nowNs)) {
                    return false;
                }
            } else {
                take(head, submitter);
            }
            submitter.removeHead();
            head = submitter.head();
        }
        return true;
    }

    private void moveOn(Packet packet) {
        PacketState before;
        do {
            before = packet.state();
            switch (before) {
                case IDLE -> {}
                case WAITING -> {
                    if (packet.isComplete() || hasWaitedEnough(packet)) {
                        gather(packet);
                    }
                }
                case READ_WAIT -> {
                    if (packet.isAtRest()) {
                        write(packet);
                    }
                }
                case WRITE_WAIT -> {
                    if (packet.isAtRest()) {
                        statistics.increment(PacketCounter.PACKETS_FINISHED);
                        packet.enter(
                                packet.hasFailed() ? PacketState.RECOVERY : PacketState.FINISHED);
                    }
                }
                case RECOVERY -> {
                    // The driver never found a way to move a packet elsewhere: it has failed.
                    statistics.increment(PacketCounter.RECOVERIES);
                    packet.enter(PacketState.FINISHED);
                }
                case FINISHED -> finish(packet);
            }
        } while (packet.state() != before);
    }

    private void gather(Packet packet) {
        int missing = packet.countMissing();
        statistics.increment(PacketCounter.PACKETS_STARTED);
        if (missing > 0) {
            statistics.increment(PacketCounter.PARTIAL);
            if (packet.isCached()) {
                statistics.increment(PacketCounter.CACHED);
            } else {
                statistics.add(PacketCounter.KB_READ_GATHER, 2L * missing);
                packet.readMissing(scheduler::addGatherRead);
            }
        }
        packet.enter(PacketState.READ_WAIT);
    }

    private void write(Packet packet) {
        if (packet.hasFailed()) {
            packet.enter(PacketState.RECOVERY);
            return;
        }
        statistics.add(PacketCounter.KB_WRITTEN, 2L * packet.framesWritten());
        scheduler.addWrite(packet.fill(nowNs));
        packet.enter(PacketState.WRITE_WAIT);
    }

    private void finish(Packet packet) {
        BlockStatus status = packet.hasFailed() ? BlockStatus.IO_ERROR : BlockStatus.OK;
        ArrayDeque<WritePiece> pieces = packet.finish();
        packets.release(packet);
        hasWork = true;
        for (WritePiece piece = pieces.pollFirst(); piece != null; piece = pieces.pollFirst()) {
            BlockRequest request = piece.request();
            entrance.recycle(piece);
            if (request.finishPart(status, BlockRequest.UNKNOWN_OFFSET)) {
                complete(request, nowNs);
            }
        }
    }

    private void feedDrive() {
        IoScheduler.Step step;
        do {
            step = scheduler.next(settings.scheduler());
            switch (step) {
                case IoScheduler.Step.Send(BlockRequest request) -> {
                    setReadSpeed();
                    drive.submit(request, ownRequests, nowNs);
                }
                case IoScheduler.Step.Flush() -> {
                    statistics.increment(PacketCounter.TURNS);
                    isFlushing = true;
                    drive.submit(flush.prepare(BlockOperation.FLUSH, 0, 0, 0), ownRequests, nowNs);
                }
                case IoScheduler.Step.Wait() -> {}
            }
        } while (step instanceof IoScheduler.Step.Send);
    }

    private void setReadSpeed() {
        int wanted =
                scheduler.wantsFastReads() ? ReadSpeed.MAX_KB_PER_SECOND : disc.writeKbPerSecond();
        if (wanted != readKbPerSecond) {
            readKbPerSecond = wanted;
            statistics.increment(PacketCounter.SPEED_CHANGES);
            readSpeed.set(wanted, nowNs);
        }
    }

    private void packetRequestEnded() {
        scheduler.ended();
        hasWork = true;
    }

    private void hostReadEnded(HostRead read, long atNs) {
        boolean isFlush = read.isFlush();
        BlockRequest host = read.end();
        freeReads.addFirst(read);
        if (!isFlush) {
            scheduler.ended();
        }
        hasWork = true;
        complete(host, atNs);
    }

    private void complete(BlockRequest request, long atNs) {
        tap.request(BioStep.ENDED, request, ownRequests, atNs);
        accounts.complete(request, atNs);
    }

    private void flushed() {
        isFlushing = false;
        scheduler.flushed();
        hasWork = true;
    }

    /** Changes the tunables: whoever need sleep no longer is woken, at once. */
    public void apply(PacketSettings newSettings, long atNs) {
        advance(atNs);
        settings = newSettings;
        hasWork = true;
        advance(atNs);
    }

    /** The disc is another now: why it takes no writes, if it does not. */
    public void setRefusal(Optional<OpenRefusal> refusal) {
        disc = disc.withRefusal(refusal);
    }

    /** The drive writes at another speed, in its own unit. */
    public void setWriteSpeed(int kbPerSecond) {
        disc = disc.withWriteSpeed(kbPerSecond);
    }

    /** True while anything of the host's, or of its own, is under way. */
    public boolean isBusy() {
        return isFlushing
                || queueSize() > 0
                || packets.active().iterator().hasNext()
                || scheduler.pending() > 0;
    }

    public PacketSettings settings() {
        return settings;
    }

    /** How many pieces wait for a packet: the driver's bio_queue_size. */
    public int queueSize() {
        return entrance.queue().size();
    }

    /** The most that ever waited. */
    public int longestQueue() {
        return entrance.queue().longest();
    }

    /** Advisory, for those who care to look before they write. */
    public boolean isWriteCongested() {
        return entrance.congestion().isCongested();
    }

    @Override
    public boolean isCongested(boolean isWrite) {
        return isWrite && isWriteCongested();
    }

    public PacketStatistics statistics() {
        return statistics;
    }

    @Override
    public Counters counters() {
        return accounts.counters();
    }

    @Override
    public QueueLatencies latencies() {
        return accounts.latencies();
    }

    public PacketDisc disc() {
        return disc;
    }

    /** The queue in front of the drive. */
    public RequestQueue driveQueue() {
        return drive;
    }

    /** A snapshot for people who look. */
    public PacketReport report() {
        return new PacketReport(
                readKbPerSecond,
                queueSize(),
                scheduler.pending(),
                currentSector,
                packets.countStates(),
                isWriteCongested(),
                entrance.congestion().sleeping(),
                entrance.congestion().offenders());
    }
}
