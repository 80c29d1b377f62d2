package dev.spindle.shm;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all attached processes of one server share: its devices, its bounds, and how much of them is
 * taken. Used by all loops; what changes is a sum and a set.
 *
 * @param attaching makes the files and lets them grow; that takes too long for a device's loop
 */
record ShmScope(
        Path folder,
        Map<String, ShmDevice> devices,
        ShmLimits limits,
        EventLoop attaching,
        ShmCounters counters,
        AtomicLong usedBytes,
        AtomicLong fileNumbers,
        Attached attached) {
    private static final Logger LOG = LoggerFactory.getLogger(ShmScope.class);

    static ShmScope of(
            Path folder,
            Map<String, ShmDevice> devices,
            ShmLimits limits,
            EventLoop attaching,
            ShmCounters counters) {
        return new ShmScope(
                folder,
                Map.copyOf(devices),
                limits,
                attaching,
                counters,
                new AtomicLong(),
                new AtomicLong(),
                new Attached());
    }

    /** On the attaching loop: a file with the least it can do with. */
    ChannelFile newFile(String device) throws IOException {
        if (!claim()) {
            throw new IOException("server.shm.memory is used up");
        }
        Path path = folder.resolve(device + "." + fileNumbers.incrementAndGet());
        try {
            return ChannelFile.create(path, limits.arenaBytes());
        } catch (IOException | RuntimeException e) {
            usedBytes.addAndGet(-ChannelFile.STEP_BYTES);
            throw e;
        }
    }

    /** On the attaching loop: a step more, if there is memory for it. */
    void grow(ChannelFile file) {
        boolean hasGrown = false;
        if (claim()) {
            try {
                hasGrown = file.grow();
            } catch (IOException e) {
                LOG.warn("the arena of {} cannot grow: {}", file.path(), e.getMessage());
            }
            if (!hasGrown) {
                usedBytes.addAndGet(-ChannelFile.STEP_BYTES);
            }
        }
        if (!hasGrown) {
            counters.growthRefused.increment();
            file.stopGrowing();
        }
    }

    void giveBack(ChannelFile file) {
        long steps = (file.arenaBytes() + ChannelFile.STEP_BYTES - 1) / ChannelFile.STEP_BYTES;
        usedBytes.addAndGet(-steps * ChannelFile.STEP_BYTES);
    }

    private boolean claim() {
        long used = usedBytes.get();
        while (used + ChannelFile.STEP_BYTES <= limits.memoryBytes()) {
            if (usedBytes.compareAndSet(used, used + ChannelFile.STEP_BYTES)) {
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }
}
