package dev.spindle.trace;

import dev.spindle.queue.QueuedDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Turns the trace of one device on and off while it is being served. Any thread may ask; files are
 * opened and closed on the tracing thread, the listeners changed on the device's loop.
 *
 * <p>A disk is one device of the trace. Of a device with a packet writer, what comes in to the
 * writer is traced under the number that NBD clients see, and what goes on in the queue below under
 * that of an optical drive.
 */
public final class TraceSwitch {
    private final QueuedDevice device;
    private final int number;
    private final Tracing tracing;
    private final AtomicReference<@Nullable LiveTrace> current = new AtomicReference<>();

    TraceSwitch(QueuedDevice device, int number, Tracing tracing) {
        this.device = device;
        this.number = number;
        this.tracing = tracing;
    }

    /** Completes when the trace runs; with an IOException where there cannot be one. */
    public CompletableFuture<TraceReport> start(Path name) {
        return CompletableFuture.supplyAsync(() -> open(name), tracing.thread())
                .thenApplyAsync(this::listen, device.loop());
    }

    private LiveTrace open(Path name) {
        LiveTrace running = current.get();
        if (running != null) {
            throw refusal("is being traced already, to " + running.path());
        }
        try {
            LiveTrace trace = tracing.open(name);
            current.set(trace);
            return trace;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private TraceReport listen(LiveTrace trace) {
        if (current.get() != trace) {
            throw refusal("is not being traced any more");
        }
        TraceClock clock = new TraceClock();
        TraceDevice top = TraceDevice.nbd(number);
        boolean isStacked = device.machine() != device.queue();
        BlkTraceEncoder encoder = new BlkTraceEncoder(top, trace.sink(), clock);
        device.change(nowNs -> encoder.timestamp(nowNs, tracing.epochSeconds(), 0));
        device.machine().listen(encoder);
        if (isStacked) {
            TraceDevice below = new TraceDevice(TraceDevice.OPTICAL_MAJOR, number);
            device.queue().listen(new BlkTraceEncoder(below, trace.sink(), clock));
        }
        return trace.report();
    }

    /** Completes when all of it is in the file; with an IOException where none was running. */
    public CompletableFuture<TraceReport> stop() {
        return CompletableFuture.supplyAsync(this::unlisten, device.loop())
                .thenApplyAsync(
                        trace -> {
                            tracing.close(trace);
                            return trace.report();
                        },
                        tracing.thread());
    }

    private LiveTrace unlisten() {
        LiveTrace trace = current.getAndSet(null);
        if (trace == null) {
            throw refusal("is not being traced");
        }
        device.machine().listen(null);
        device.queue().listen(null);
        return trace;
    }

    /** Of the trace that runs. */
    public Optional<TraceReport> report() {
        return Optional.ofNullable(current.get()).map(LiveTrace::report);
    }

    private CompletionException refusal(String what) {
        return new CompletionException(new IOException("device " + device.name() + " " + what));
    }
}
