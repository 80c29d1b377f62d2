package dev.spindle.shm;

import dev.spindle.block.BlockStatus;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import dev.spindle.time.DeviceClock;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process on one device: takes what its submission ring holds, writes its completions. Owned by
 * the loop that owns the device.
 *
 * <pre>
 *   OPEN --breach--------------------------> BROKEN   nothing more is taken
 *   OPEN --socket closed, daemon drains----> ENDED    what is published is taken, then no more
 *   BROKEN, ENDED --nothing under way------> over     credits given back, memory unmapped
 * </pre>
 *
 * <p>The process is not believed: an entry is copied out of the ring before it is looked at, each
 * index is checked against a bound of ours, a slot is busy until its request has ended, and there
 * are never more requests under way than credits the process has taken from the pool.
 */
final class ShmSession {
    private static final Logger LOG = LoggerFactory.getLogger(ShmSession.class);

    /** One poll takes no more, so that completions and other sessions come in between. */
    private static final int POLL_ENTRIES = 64;

    private static final int POLL_BYTES = 512 << 10;

    /** A thread that takes a credit just as its session ends has noticed by then. */
    private static final int COOLING_MS = 200;

    private final ShmDevice shared;
    private final ShmCounters counters;
    private final BlockDevice device;
    private final ChannelFile file;
    private UnsafeBuffer fields;
    private final Channel socket;
    private final long pid;
    private final ShmRules rules;
    private final Submitter submitter;
    private final PoolWaiters waiters;
    private final Submission entry = new Submission();
    private final ShmRequest[] requests = new ShmRequest[ChannelLayout.SLOTS];
    private final long[] creditBase = new long[2];
    private final long[] credited = new long[2];
    private final int client;
    private final Runnable whenOver;
    private @Nullable ShmRequest refusedByRing;
    private int submissionHead;
    private int completionTail;
    private int inFlight;
    private boolean isUnflushed;
    private boolean isEnded;
    private boolean isBroken;
    private boolean isOver;

    private ShmSession(
            ShmDevice shared, ChannelFile file, Channel socket, long pid, Runnable whenOver) {
        this.shared = shared;
        this.file = file;
        this.socket = socket;
        this.pid = pid;
        this.whenOver = whenOver;
        counters = shared.counters();
        device = shared.device();
        fields = file.fields();
        rules = new ShmRules(device);
        submitter = new Submitter("process " + pid, this::takeTurns);
        waiters = new PoolWaiters(fields);
        client = shared.pool().attach(waiters);
    }

    /** On the device's loop. Null when the pool has no number left. */
    static @Nullable ShmSession open(
            ShmDevice shared, ChannelFile file, Channel socket, long pid, Runnable whenOver) {
        ShmSession session = new ShmSession(shared, file, socket, pid, whenOver);
        if (session.client < 0) {
            return null;
        }
        session.writeHeader();
        return session;
    }

    private void writeHeader() {
        fields.putInt(ChannelLayout.CLIENT_OFFSET, client);
        for (int direction = 0; direction < creditBase.length; direction++) {
            creditBase[direction] = shared.pool().taken(direction, client);
            fields.putLong(
                    ChannelLayout.CREDIT_BASE_OFFSET + direction * Long.BYTES,
                    creditBase[direction]);
        }
        fields.putLongVolatile(ChannelLayout.MAGIC_OFFSET, ChannelLayout.MAGIC);
        counters.attached.increment();
        LOG.info("process {} shares memory with device {}", pid, device.name());
    }

    ChannelFile file() {
        return file;
    }

    /** The process says that there is something in its ring. */
    void rung() {
        counters.bells.increment();
        takeTurns();
    }

    private void takeTurns() {
        if (!isOver) {
            shared.turns().poll(this);
        }
    }

    /** Takes a bounded part of what the ring holds; how many entries that was. */
    int poll() {
        if (isOver) {
            return 0;
        }
        int taken;
        try {
            taken = takeSome();
        } catch (InternalError e) {
            lose();
            taken = 0;
        }
        if (taken > 0 || refusedByRing != null) {
            device.run();
        }
        endIfDone();
        return taken;
    }

    private int takeSome() {
        int taken = 0;
        long bytes = 0;
        if (refusedByRing != null) {
            ShmRequest again = refusedByRing;
            refusedByRing = null;
            publish(again);
            taken++;
        }
        while (taken < POLL_ENTRIES && bytes < POLL_BYTES && takesMore()) {
            entry.take(fields, submissionOffset(submissionHead));
            submissionHead++;
            if (!take()) {
                return taken;
            }
            bytes += entry.lengthBytes();
            taken++;
        }
        return taken;
    }

    private boolean takesMore() {
        if (isBroken || refusedByRing != null || submitter.isWaiting()) {
            return false;
        }
        int held = heldEntries();
        if (held < 0 || held > ChannelLayout.SLOTS) {
            breach("a submission tail " + Integer.toUnsignedString(held) + " entries ahead");
            return false;
        }
        return held > 0;
    }

    private int heldEntries() {
        return fields.getIntVolatile(ChannelLayout.SUBMISSION_TAIL_OFFSET) - submissionHead;
    }

    private static int submissionOffset(int index) {
        return ChannelLayout.SUBMISSIONS_OFFSET
                + (index & (ChannelLayout.SLOTS - 1)) * ChannelLayout.SUBMISSION_BYTES;
    }

    /** The entry just taken out of the ring; false when it ends the session. */
    private boolean take() {
        String wrong = ShmRules.breach(entry, file.arenaBytes());
        if (wrong == null && isBusy(entry.slot())) {
            wrong = "slot " + entry.slot() + ", which is busy";
        }
        if (wrong == null && !isCredited(entry.direction())) {
            wrong = "a request without a credit of the pool";
        }
        if (wrong != null) {
            breach(wrong);
            return false;
        }
        counters.requests.increment();
        ShmRequest request = requests[entry.slot()];
        if (request == null) {
            request = new ShmRequest(entry.slot(), this);
            requests[entry.slot()] = request;
        }
        request.prepare(entry, file.buffer());
        inFlight++;
        BlockStatus refusal = rules.refusal(entry);
        if (refusal == BlockStatus.OK) {
            publish(request);
        } else {
            complete(request, refusal);
        }
        return true;
    }

    private boolean isBusy(int slot) {
        return requests[slot] != null && requests[slot].isBusy();
    }

    /** Counts the entry's credit. */
    private boolean isCredited(int direction) {
        long taken = shared.pool().taken(direction, client);
        if (SharedPool.difference(taken, creditBase[direction] + credited[direction]) <= 0) {
            return false;
        }
        credited[direction]++;
        return true;
    }

    private void publish(ShmRequest request) {
        if (!device.publish(request.block(), submitter)) {
            refusedByRing = request;
        }
    }

    /** One request has come back from the device. */
    void completed(ShmRequest request) {
        complete(request, request.block().status());
    }

    private void complete(ShmRequest request, BlockStatus status) {
        inFlight--;
        if (status == BlockStatus.OK) {
            count(request);
        } else {
            counters.errors.increment();
        }
        request.ended();
        int index = completionTail & (ChannelLayout.SLOTS - 1);
        int at = ChannelLayout.COMPLETIONS_OFFSET + index * ChannelLayout.COMPLETION_BYTES;
        try {
            if (fields.getInt(ChannelLayout.WANTS_TIMES_OFFSET) != 0) {
                fields.putLong(
                        ChannelLayout.COMPLETION_TIMES_OFFSET + index * Long.BYTES,
                        DeviceClock.monotonicNs());
            }
            fields.putInt(at, request.slot());
            fields.putInt(at + 4, ShmRules.errno(status));
        } catch (InternalError e) {
            lose();
        }
        completionTail++;
        if (!isUnflushed) {
            isUnflushed = true;
            shared.turns().flushSoon(this);
        }
        shared.pool().put(request.direction());
    }

    private void count(ShmRequest request) {
        switch (request.block().operation()) {
            case READ -> counters.readBytes.add(request.block().lengthBytes());
            case WRITE -> counters.writtenBytes.add(request.block().lengthBytes());
            case FLUSH, DISCARD, WRITE_ZEROES, COMMAND -> {}
        }
    }

    /** The process sees its completions, and is woken if it sleeps. */
    void flush() {
        isUnflushed = false;
        try {
            tell();
        } catch (InternalError e) {
            lose();
        }
        endIfDone();
    }

    private void tell() {
        fields.putIntRelease(ChannelLayout.COMPLETION_TAIL_OFFSET, completionTail);
        VarHandle.fullFence();
        if (fields.getInt(ChannelLayout.WAITERS_OFFSET) != 0) {
            wake();
            shared.turns().woken();
        }
    }

    /** Threads that sleep on the channel look again. */
    private void wake() {
        counters.wakes.increment();
        fields.getAndAddInt(ChannelLayout.EVENT_OFFSET, 1);
        Futex.wakeAll(fields.addressOffset() + ChannelLayout.EVENT_OFFSET);
    }

    /** False when there is something to take after all. */
    boolean park() {
        if (isOver || isBroken || submitter.isWaiting()) {
            return true;
        }
        if (refusedByRing != null) {
            return false;
        }
        fields.putIntVolatile(ChannelLayout.PARKED_OFFSET, 1);
        VarHandle.fullFence();
        if (heldEntries() == 0) {
            return true;
        }
        fields.putInt(ChannelLayout.PARKED_OFFSET, 0);
        return false;
    }

    private void breach(String what) {
        if (!isBroken) {
            isBroken = true;
            counters.protocolErrors.increment();
            LOG.info("cutting off process {} on device {}: {}", pid, device.name(), what);
            end();
        }
    }

    /**
     * Shared memory is no longer there: the process has cut its file short, for which the JVM
     * throws InternalError (SIGBUS). What is still to be written there goes nowhere.
     */
    private void lose() {
        fields = new UnsafeBuffer(ByteBuffer.allocateDirect(ChannelLayout.ARENA_OFFSET));
        shared.pool().leave(waiters);
        breach("its file has been cut short");
    }

    /** The process has gone, or is to go: what it has published is done, and nothing after it. */
    void end() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        try {
            fields.putIntVolatile(ChannelLayout.STATE_OFFSET, ChannelLayout.STATE_ENDED);
            wake();
        } catch (InternalError e) {
            lose();
        }
        takeTurns();
    }

    private void endIfDone() {
        if (isOver || !isEnded || inFlight > 0 || isUnflushed || refusedByRing != null) {
            return;
        }
        if (!isBroken && heldEntries() > 0) {
            return;
        }
        isOver = true;
        shared.turns().forget(this);
        shared.pool().leave(waiters);
        returnCredits();
        removeName();
        var _ = socket.close();
        var _ = socket.eventLoop().schedule(this::letGo, COOLING_MS, TimeUnit.MILLISECONDS);
    }

    /** There still is one if the process ended before it had mapped the file. */
    private void removeName() {
        try {
            file.removeName();
        } catch (IOException e) {
            LOG.warn("cannot remove {}", file.path(), e);
        }
    }

    /** What was taken from the pool for requests that never came. */
    private void returnCredits() {
        for (int direction = 0; direction < creditBase.length; direction++) {
            long taken = shared.pool().taken(direction, client);
            long unused = SharedPool.difference(taken, creditBase[direction] + credited[direction]);
            for (long i = 0; i < unused && i <= ChannelLayout.SLOTS; i++) {
                shared.pool().put(direction);
                counters.creditsReturned.increment();
            }
            credited[direction] += Math.max(0, unused);
        }
    }

    private void letGo() {
        returnCredits();
        shared.pool().release(client);
        counters.detached.increment();
        LOG.info("process {} has left device {}", pid, device.name());
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("cannot close {}", file.path(), e);
        }
        whenOver.run();
    }
}
