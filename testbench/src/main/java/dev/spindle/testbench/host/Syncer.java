package dev.spindle.testbench.host;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import org.jspecify.annotations.Nullable;

/** A process in fsync: writes back all that is dirty of a file, then has the drive keep it. */
public final class Syncer {
    private static final long WAIT_NS = 100_000_000;
    private static final String NAME = "fsync";

    private final int target;
    private final SimulatedDevice device;
    private final PageCache cache;
    private final PageCache.Writer writer;
    private final Runnable onSynced;

    public Syncer(int target, SimulatedDevice device, PageCache cache, Runnable onSynced) {
        this.target = target;
        this.device = device;
        this.cache = cache;
        this.onSynced = onSynced;
        writer = cache.writer(NAME);
    }

    public void start() {
        cache.events().after(0, NAME, this::next);
    }

    private void next() {
        PageCache.@Nullable Chunk dirty = cache.nextDirty(target);
        if (dirty != null) {
            cache.write(dirty, writer, this::next);
        } else if (cache.isClean(target)) {
            BlockRequest flush =
                    new BlockRequest((_, _) -> onSynced.run())
                            .prepare(BlockOperation.FLUSH, 0, 0, 0);
            device.submit(flush, writer.submitter(target));
        } else {
            cache.congestionWait(WAIT_NS, NAME, this::next);
        }
    }
}
