package dev.spindle.daemon;

import dev.spindle.config.DeviceConfig;
import dev.spindle.config.FileStoreConfig;
import dev.spindle.config.MemoryStoreConfig;
import dev.spindle.drive.DataMover;
import dev.spindle.media.BackingStore;
import dev.spindle.media.FileStore;
import dev.spindle.media.MemoryStore;
import dev.spindle.queue.StoreView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A device's store and, where it may block, the thread it is used on. */
final class OpenStore implements AutoCloseable {
    private final BackingStore store;
    private final @Nullable StoreThread thread;

    private OpenStore(BackingStore store, @Nullable StoreThread thread) {
        this.store = store;
        this.thread = thread;
    }

    static OpenStore open(DeviceConfig config) throws IOException {
        BackingStore store;
        try {
            store =
                    switch (config.store()) {
                        case MemoryStoreConfig memory ->
                                memory.hugePages()
                                        ? MemoryStore.withHugePages(config.sizeBytes())
                                        : new MemoryStore(config.sizeBytes());
                        case FileStoreConfig file ->
                                FileStore.open(
                                        file.path(),
                                        config.sizeBytes(),
                                        file.create(),
                                        config.readOnly());
                    };
        } catch (IOException e) {
            throw new IOException("device " + config.name() + ": " + e.getMessage(), e);
        }
        return new OpenStore(store, store.mayBlock() ? new StoreThread(config.name()) : null);
    }

    BackingStore store() {
        return store;
    }

    DataMover mover(Executor loop, Runnable onMoved) {
        return thread == null
                ? DataMover.inline(store)
                : DataMover.onThread(store, thread, loop, onMoved);
    }

    /** A drive that takes no time is as fast as its store. */
    StoreView view(Executor loop, boolean takesNoTime) {
        return new OpenStoreView(store, thread, loop, takesNoTime && store.discardsFast());
    }

    /** Asks on the thread that owns the store. */
    CompletableFuture<Long> allocatedBytes(Executor loop) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return store.allocatedBytes();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                thread == null ? loop : thread);
    }

    /** Only when nobody looks at its memory any more. */
    @Override
    public void close() throws IOException {
        try (store) {
            if (thread != null) {
                thread.close();
            }
        }
    }
}
