package dev.spindle.testbench.host;

import org.jspecify.annotations.Nullable;

/**
 * The kernel's thread that writes back in the background: 1024 pages of an inode in a pass, looking
 * at the congestion flag before each batch of pages; where it is up it waits instead.
 */
public final class Pdflush {
    private static final int PASS_PAGES = 1024;
    private static final int PAGE_BYTES = 4096;
    private static final long WAIT_NS = 100_000_000;
    private static final long IDLE_NS = 50_000_000;

    private final int target;
    private final PageCache cache;
    private final PageCache.Writer writer;
    private final Runnable pass = this::pass;
    private final Runnable next = this::next;
    private int left;

    public Pdflush(int target, PageCache cache) {
        this.target = target;
        this.cache = cache;
        writer = cache.writer("pdflush");
    }

    public void start() {
        cache.events().after(0, "pdflush", pass);
    }

    private void pass() {
        if (!cache.isOverBackground()) {
            cache.events().after(IDLE_NS, "pdflush", pass);
            return;
        }
        left = PASS_PAGES * PAGE_BYTES / cache.plan().chunkBytes();
        next();
    }

    private void next() {
        if (cache.isCongested(target)) {
            cache.congestionWait(WAIT_NS, "pdflush", pass);
            return;
        }
        PageCache.@Nullable Chunk chunk = left > 0 ? cache.nextDirty(target) : null;
        if (chunk == null) {
            cache.events().after(left > 0 ? IDLE_NS : 0, "pdflush", pass);
        } else {
            left--;
            cache.write(chunk, writer, next);
        }
    }
}
