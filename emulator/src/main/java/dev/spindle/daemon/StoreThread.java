package dev.spindle.daemon;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The thread on which a store that may block is used. What waits for it is bounded by the request
 * pool of its device.
 */
final class StoreThread implements Executor, AutoCloseable {
    private static final int CLOSE_SECONDS = 30;

    private final String device;
    private final ExecutorService executor;

    StoreThread(String device) {
        this.device = device;
        executor =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name("store-" + device).daemon().factory());
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Lets it finish what it has. */
    @Override
    public void close() throws IOException {
        executor.shutdown();
        boolean isDone;
        try {
            isDone = executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isDone = false;
        }
        if (!isDone) {
            throw new IOException(
                    "device "
                            + device
                            + ": its store is still at work after "
                            + CLOSE_SECONDS
                            + " s");
        }
    }
}
