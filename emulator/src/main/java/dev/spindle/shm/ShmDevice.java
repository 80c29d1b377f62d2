package dev.spindle.shm;

import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.QueueSettings;
import dev.spindle.time.DeviceClock;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.Path;

/**
 * One device and what all processes that share memory with it have in common.
 *
 * @param loop owns the device; every session runs on it
 */
public record ShmDevice(
        BlockDevice device, EventLoop loop, SharedPool pool, ShmTurns turns, ShmCounters counters)
        implements AutoCloseable {

    /** With a pool of its own, in a file of that folder. */
    public static ShmDevice open(
            Path folder,
            BlockDevice device,
            QueueSettings settings,
            EventLoop loop,
            DeviceClock clock,
            ShmCounters counters)
            throws IOException {
        PoolFile file = PoolFile.create(folder.resolve(device.name() + ".pool"));
        SharedPool pool = new SharedPool(file, credits(device, settings), counters);
        return new ShmDevice(device, loop, pool, new ShmTurns(loop, clock), counters);
    }

    /** On the device's loop, after every change of the tunables. */
    public void apply(QueueSettings settings) {
        pool.resize(credits(device, settings));
    }

    /** Where there is no pool credits are still counted, but never run out. */
    private static int credits(BlockDevice device, QueueSettings settings) {
        return device.hasPool() ? settings.nrRequests() : Integer.MAX_VALUE;
    }

    /** When its loop has ended. */
    @Override
    public void close() throws IOException {
        pool.file().close();
    }
}
