package dev.spindle.daemon;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What has been opened, to be closed in reverse order: all of it, whatever fails; the first failure
 * is thrown and carries the others.
 */
final class CloseStack implements AutoCloseable {
    private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() throws IOException {
        Exception first = closeAll(null);
        if (first instanceof IOException io) {
            throw io;
        }
        if (first != null) {
            throw new IOException(first.toString(), first);
        }
    }

    /** After a failure, which gets whatever else fails as suppressed. */
    void closeAfter(Exception failure) {
        closeAll(failure);
    }

    private @Nullable Exception closeAll(@Nullable Exception before) {
        Exception first = before;
        for (AutoCloseable next = opened.poll(); next != null; next = opened.poll()) {
            try {
                next.close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                if (first == null) {
                    first = e;
                } else if (!first.equals(e)) {
                    first.addSuppressed(e);
                }
            }
        }
        return first;
    }
}
