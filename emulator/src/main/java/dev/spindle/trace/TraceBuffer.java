package dev.spindle.trace;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * A bounded ring of records between a device's loop, which puts them and never waits, and the
 * thread that writes them. A record that finds no room is dropped and counted.
 */
final class TraceBuffer implements RecordSink {
    /** Some 100,000 records, as much as a fast device makes in a tenth of a second. */
    static final int DEFAULT_BYTES = 8 << 20;

    private static final int RECORD = 1;

    private final OneToOneRingBuffer ring;
    private final UnsafeBuffer view = new UnsafeBuffer(new byte[0]);
    private final ByteBuffer taken = ByteBuffer.allocate(RecordLayout.MOST_BYTES);
    private volatile long dropped;

    /** {@code bytes} is a power of two. */
    TraceBuffer(int bytes) {
        ring =
                new OneToOneRingBuffer(
                        new UnsafeBuffer(
                                ByteBuffer.allocateDirect(
                                        bytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** The device's loop. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    public boolean put(ByteBuffer record) {
        view.wrap(record);
        if (ring.write(RECORD, view, record.position(), record.remaining())) {
            return true;
        }
        dropped++;
        return false;
    }

    /** The writing thread: hands over what is there. */
    void drainTo(RecordSink sink) {
        int read;
        do {
            read =
                    ring.read((_, buffer, index, length) -> {
                        buffer.getBytes(index, taken.clear(), length);
                        sink.put(taken.flip());
                    });
        } while (read > 0);
    }

    /** For want of room. Any thread. */
    long dropped() {
        return dropped;
    }
}
