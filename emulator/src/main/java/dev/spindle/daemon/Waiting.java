package dev.spindle.daemon;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How the thread that starts and stops the daemon waits for what loops and other threads do. */
final class Waiting {
    private Waiting() {}

    /**
     * What comes of it, once it has come.
     *
     * @throws IOException if it failed, or the thread is interrupted
     * @throws TimeoutException if it takes longer
     */
    static <T> T until(CompletableFuture<T> future, long seconds)
            throws IOException, TimeoutException {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io
                    ? io
                    : new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while stopping", e);
        }
    }
}
