package dev.spindle.testbench.host;

import org.jspecify.annotations.Nullable;

/**
 * A process that writes a long file as fast as it is let: it dirties pages, and every so many it
 * has to write back some itself while too much is dirty (balance_dirty_pages of Linux 2.6). It does
 * not look whether a queue is congested. For a new page it may have to write out the oldest.
 */
public final class Dirtier {
    private static final int PAGE_BYTES = 4096;

    /** Pages between two looks at the dirty limit. */
    private static final int RATE_LIMIT_PAGES = 1024;

    private static final int RATE_LIMIT_UNDER_PRESSURE_PAGES = 8;
    private static final long WAIT_NS = 100_000_000;

    private final String name;
    private final int target;
    private final PageCache cache;
    private final PageCache.Writer writer;
    private final Runnable makeRoom = this::makeRoom;
    private final Runnable balance = this::balance;
    private long leftBytes = Long.MAX_VALUE;
    private Progress progress = _ -> {};
    private long chunkSinceNs;
    private long dirtiedBytes;
    private int toWrite;

    public Dirtier(String name, int target, PageCache cache) {
        this.name = name;
        this.target = target;
        this.cache = cache;
        writer = cache.writer(name);
    }

    /** Told of each chunk a program has written, and when it has no more. */
    public interface Progress {
        /** One more is in the page cache; it took so long. */
        void wrote(long ns);

        /** All of it is there. */
        default void ended() {}
    }

    /** So many bytes instead of for ever. */
    public Dirtier limitedTo(long bytes, Progress newProgress) {
        leftBytes = bytes;
        progress = newProgress;
        return this;
    }

    public void start() {
        cache.events().after(0, name, makeRoom);
    }

    private void makeRoom() {
        if (leftBytes <= 0) {
            progress.ended();
            return;
        }
        switch (cache.reclaim()) {
            case THERE_IS_ROOM -> dirty();
            case WRITE_OLDEST -> cache.write(cache.oldest(), writer, makeRoom);
            case WAIT -> cache.congestionWait(WAIT_NS, name, makeRoom);
        }
    }

    private void dirty() {
        cache.dirtyNext(target);
        int chunkBytes = cache.plan().chunkBytes();
        dirtiedBytes += chunkBytes;
        leftBytes -= chunkBytes;
        progress.wrote(cache.events().nowNs() - chunkSinceNs);
        chunkSinceNs = cache.events().nowNs();
        long copyNs = (long) (chunkBytes / (double) cache.plan().memoryBytesPerSecond() * 1e9);
        int limit = cache.isUnderPressure() ? RATE_LIMIT_UNDER_PRESSURE_PAGES : RATE_LIMIT_PAGES;
        if (dirtiedBytes >= (long) limit * PAGE_BYTES) {
            dirtiedBytes = 0;
            toWrite = RATE_LIMIT_PAGES * 3 / 2 * PAGE_BYTES / chunkBytes;
            cache.events().after(copyNs, name, balance);
        } else {
            cache.events().after(copyNs, name, makeRoom);
        }
    }

    private void balance() {
        if (!cache.isOverDirtyLimit() || toWrite == 0) {
            makeRoom();
            return;
        }
        PageCache.@Nullable Chunk next = cache.nextDirty(target);
        if (next == null) {
            cache.congestionWait(WAIT_NS, name, balance);
        } else {
            toWrite--;
            cache.write(next, writer, balance);
        }
    }
}
