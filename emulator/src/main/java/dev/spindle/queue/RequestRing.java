package dev.spindle.queue;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import dev.spindle.block.BlockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The way requests reach the loop that owns a device, from any thread: a Disruptor ring, many
 * producers, one poller. Bounded: when it is full, {@link #offer} says so. Nobody ever waits on it.
 */
final class RequestRing {
    private final RingBuffer<Slot> ring;
    private final EventPoller<Slot> poller;
    private final EventPoller.Handler<Slot> handler;
    private @Nullable Taker taker;
    private int taken;

    RequestRing(int slots) {
        ring = RingBuffer.createMultiProducer(Slot::new, slots, new NobodyWaits());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        handler = (slot, _, _) -> handle(slot);
    }

    /** Any thread. False when the ring is full. */
    boolean offer(BlockRequest request, Submitter submitter) {
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException _) {
            return false;
        }
        try {
            ring.get(sequence).set(request, submitter);
        } finally {
            ring.publish(sequence);
        }
        return true;
    }

    /**
     * The owning loop: hands over all that was published before, in order, and says how many that
     * was.
     */
    int drain(Taker to) {
        taker = to;
        taken = 0;
        try {
            poller.poll(handler);
        } catch (Exception e) {
            // A handler that throws would be given the same slot again: an invariant is broken, the
            // device must stop.
            throw new IllegalStateException("request ring", e);
        }
        return taken;
    }

    /** True when something was published that has not been taken. */
    boolean hasMore() {
        return ring.getCursor() > poller.getSequence().get();
    }

    private boolean handle(Slot slot) {
        BlockRequest request = slot.request;
        Submitter submitter = slot.submitter;
        slot.clear();
        assert request != null && submitter != null && taker != null;
        taker.take(request, submitter);
        taken++;
        return true;
    }

    /** Takes what came through the ring. */
    @FunctionalInterface
    interface Taker {
        void take(BlockRequest request, Submitter submitter);
    }

    private static final class Slot {
        private @Nullable BlockRequest request;
        private @Nullable Submitter submitter;

        void set(BlockRequest newRequest, Submitter newSubmitter) {
            request = newRequest;
            submitter = newSubmitter;
        }

        void clear() {
            request = null;
            submitter = null;
        }
    }

    /** The ring is only polled, so nobody is ever to be woken. */
    private static final class NobodyWaits implements WaitStrategy {
        @Override
        public long waitFor(
                long sequence, Sequence cursor, Sequence dependent, SequenceBarrier barrier) {
            throw new UnsupportedOperationException("the ring is polled");
        }

        @Override
        public void signalAllWhenBlocking() {
            // Producers wake the loop themselves, after publishing.
        }
    }
}
