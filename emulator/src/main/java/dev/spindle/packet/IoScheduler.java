package dev.spindle.packet;

import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what the drive does next. A drive that writes loses a good part of a second when it has
 * to read in between, so it is kept at one of the two for as long as it makes sense, in two queues
 * each first in, first out. It is turned only when nothing is under way, and towards reading only
 * after its buffer has been flushed.
 */
final class IoScheduler {
    /** This many kB read one after the other, and the drive may read as fast as it can. */
    static final int FAST_READ_KB = 512;

    /** What to do now. */
    sealed interface Step {
        /** Send it to the drive; first set the speed where it says so. */
        record Send(BlockRequest request) implements Step {}

        /** Have the drive empty its buffer, then say {@link #flushed}. */
        record Flush() implements Step {}

        /** Nothing before something ends or comes. */
        record Wait() implements Step {}
    }

    private static final Step FLUSH = new Step.Flush();
    private static final Step WAIT = new Step.Wait();

    private final ArrayDeque<BlockRequest> reads = new ArrayDeque<>();
    private final ArrayDeque<BlockRequest> writes = new ArrayDeque<>();
    private boolean isWriting;
    private boolean isHostReading;
    private int pending;
    private long lastWrittenSector = -1;
    private long successiveReadBytes;

    /** A read of the host's. */
    void addHostRead(BlockRequest read) {
        reads.addLast(read);
        isHostReading = true;
    }

    /** A read that completes a packet. */
    void addGatherRead(BlockRequest read) {
        reads.addLast(read);
    }

    void addWrite(BlockRequest write) {
        writes.addLast(write);
    }

    /** Given to the drive and not yet back. */
    int pending() {
        return pending;
    }

    boolean isWriting() {
        return isWriting;
    }

    /** One that was sent has come back. */
    void ended() {
        pending--;
        assert pending >= 0;
    }

    void flushed() {
        isWriting = false;
    }

    /** True where reads have gone on for so long that speed pays. */
    boolean wantsFastReads() {
        return successiveReadBytes >> 10 >= FAST_READ_KB;
    }

    Step next(PacketScheduler scheduler) {
        if (reads.isEmpty()) {
            isHostReading = false;
        }
        if (reads.isEmpty() && writes.isEmpty()) {
            return WAIT;
        }
        if (isWriting) {
            if (shouldRead(scheduler)) {
                return pending > 0 ? WAIT : FLUSH;
            }
        } else if (reads.isEmpty()) {
            if (pending > 0) {
                return WAIT;
            }
            isWriting = true;
        }
        return send();
    }

    private boolean shouldRead(PacketScheduler scheduler) {
        return switch (scheduler) {
            case WHEN_STUCK -> isHostReading || writes.isEmpty();
            case AT_SEEK -> !reads.isEmpty() && isSeekAway(writes.peekFirst());
        };
    }

    private boolean isSeekAway(@Nullable BlockRequest write) {
        return write == null || Sectors.ofBytes(write.offsetBytes()) != lastWrittenSector;
    }

    private Step send() {
        BlockRequest request = (isWriting ? writes : reads).removeFirst();
        pending++;
        if (isWriting) {
            successiveReadBytes = 0;
            lastWrittenSector = Sectors.ofBytes(request.offsetBytes() + request.lengthBytes());
        } else {
            successiveReadBytes += request.lengthBytes();
        }
        return new Step.Send(request);
    }
}
