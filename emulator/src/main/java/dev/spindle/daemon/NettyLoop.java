package dev.spindle.daemon;

import dev.spindle.queue.OwningLoop;
import dev.spindle.time.DeviceClock;
import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One device's hold on the event loop that owns it. The timer is set anew only when the deadline
 * changes: most turns leave it as it is.
 */
final class NettyLoop implements OwningLoop {
    private final EventLoop loop;
    private final DeviceClock clock;
    private final Runnable fire = this::fire;
    private Runnable task = () -> {};
    private long armedNs = DeviceClock.NEVER;
    private @Nullable Future<?> timer;

    NettyLoop(EventLoop loop, DeviceClock clock) {
        this.loop = loop;
        this.clock = clock;
    }

    @Override
    public void execute(Runnable command) {
        loop.execute(command);
    }

    @Override
    public boolean isInside() {
        return loop.inEventLoop();
    }

    @Override
    public void runAt(long deadlineNs, Runnable newTask) {
        task = newTask;
        if (deadlineNs == armedNs) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        armedNs = deadlineNs;
        if (deadlineNs != DeviceClock.NEVER) {
            long delayNs = Math.max(0, deadlineNs - clock.nowNs());
            timer = loop.schedule(fire, delayNs, TimeUnit.NANOSECONDS);
        }
    }

    private void fire() {
        armedNs = DeviceClock.NEVER;
        timer = null;
        task.run();
    }
}
