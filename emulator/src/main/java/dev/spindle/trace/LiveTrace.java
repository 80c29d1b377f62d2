package dev.spindle.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A trace of a device that is being served. The device's loop puts records into the buffer; the
 * rest belongs to the tracing thread. When the file cannot be written any more, what comes is
 * dropped and counted, and the reason kept; the device goes on.
 */
final class LiveTrace {
    private final TraceFile file;
    private final TraceBuffer buffer;
    private final RecordSink writing = this::write;
    private volatile long written;
    private volatile long lost;
    private volatile @Nullable String fault;

    private LiveTrace(TraceFile file, TraceBuffer buffer) {
        this.file = file;
        this.buffer = buffer;
    }

    static LiveTrace open(Path name, int bufferBytes) throws IOException {
        return new LiveTrace(TraceFile.create(name), new TraceBuffer(bufferBytes));
    }

    RecordSink sink() {
        return buffer;
    }

    Path path() {
        return file.path();
    }

    /** The tracing thread: what has come so far goes to the file. */
    void drain() {
        buffer.drainTo(writing);
        try {
            if (fault == null) {
                file.write();
            }
        } catch (IOException e) {
            fail(TraceFile.reason(e));
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the tracing thread alone writes them
    private boolean write(ByteBuffer record) {
        if (fault != null) {
            lost++;
            return false;
        }
        try {
            file.put(record);
            written++;
            return true;
        } catch (UncheckedIOException e) {
            fail(String.valueOf(e.getMessage()));
            lost++;
            return false;
        }
    }

    private void fail(String why) {
        fault = why;
    }

    void close() {
        drain();
        try {
            file.close();
        } catch (IOException e) {
            if (fault == null) {
                fail(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Any thread. */
    TraceReport report() {
        return new TraceReport(
                file.path(), written, buffer.dropped() + lost, Optional.ofNullable(fault));
    }
}
