package dev.spindle.trace;

import dev.spindle.queue.QueuedDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The traces of a daemon and the one thread that writes them, every few milliseconds while there
 * are any: so the loops of devices need not wake it. It exists from the first trace on.
 */
public final class Tracing implements AutoCloseable {
    private static final int EVERY_MS = 10;
    private static final int CLOSE_SECONDS = 10;

    private final InstantSource timeOfDay;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("trace").daemon().factory());

    /** Belongs to the thread. */
    private final List<LiveTrace> running = new ArrayList<>();

    private boolean isDraining;

    public Tracing(InstantSource timeOfDay) {
        this.timeOfDay = timeOfDay;
    }

    /** For a device; {@code number} is its minor number. */
    public TraceSwitch of(QueuedDevice device, int number) {
        return new TraceSwitch(device, number, this);
    }

    Executor thread() {
        return thread;
    }

    long epochSeconds() {
        return timeOfDay.instant().getEpochSecond();
    }

    /** On the thread. */
    LiveTrace open(Path name) throws IOException {
        Path path = TraceFile.pathOf(name);
        for (LiveTrace each : running) {
            if (each.path().equals(path)) {
                throw new IOException("another device is being traced to " + path);
            }
        }
        LiveTrace trace = LiveTrace.open(name, TraceBuffer.DEFAULT_BYTES);
        running.add(trace);
        drainLater();
        return trace;
    }

    private void drainLater() {
        if (!isDraining && !running.isEmpty()) {
            isDraining = true;
            var _ = thread.schedule(this::drain, EVERY_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void drain() {
        isDraining = false;
        running.forEach(LiveTrace::drain);
        drainLater();
    }

    /** On the thread. */
    void close(LiveTrace trace) {
        running.remove(trace);
        trace.close();
    }

    /** Only when the loops of devices have ended: what they put last is written. */
    @Override
    public void close() throws IOException {
        thread.execute(() -> {
            running.forEach(LiveTrace::close);
            running.clear();
        });
        thread.shutdown();
        boolean isDone;
        try {
            isDone = thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isDone = false;
        }
        if (!isDone) {
            throw new IOException("traces are still being written after " + CLOSE_SECONDS + " s");
        }
    }
}
