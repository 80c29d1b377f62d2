package dev.spindle.daemon;

import dev.spindle.queue.OwningLoop;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.TimeScale;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One device's hold on the event loop that owns it. The timer is set anew only when the deadline
 * changes, or the rate at which the device's time passes: most turns leave it as it is.
 *
 * <p>A sleeping thread is woken late by some tens of microseconds. So the loop sleeps until a
 * little before the deadline (see {@link WakeLead}) and then goes round without sleeping: it looks
 * after its sockets and its other devices on the way.
 */
final class NettyLoop implements OwningLoop {
    /** Readings of the clock, some microseconds long, between two looks at the sockets. */
    private static final int READINGS_PER_ROUND = 64;

    private final EventExecutor loop;
    private final DeviceClock clock;
    private final WakeLead lead;
    private final Runnable fire = this::fire;
    private Runnable task = () -> {};
    private long armedNs = DeviceClock.NEVER;
    private TimeScale armedScale = TimeScale.REAL;
    private @Nullable Future<?> timer;

    /** When the sleep should end, in device time; NEVER while the loop does not sleep. */
    private long wakeNs = DeviceClock.NEVER;

    /** A loop by the device's clock; the longest it stays awake for a deadline is wall time. */
    NettyLoop(EventExecutor loop, DeviceClock clock, long wakeAheadNs) {
        this.loop = loop;
        this.clock = clock;
        lead = new WakeLead(wakeAheadNs);
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
        if (deadlineNs == armedNs && clock.scale().equals(armedScale)) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        armedNs = deadlineNs;
        armedScale = clock.scale();
        wakeNs = DeviceClock.NEVER;
        if (deadlineNs != DeviceClock.NEVER) {
            arm(deadlineNs - clock.nowNs());
            if (wakeNs == DeviceClock.NEVER) {
                lead.stayedAwake();
            }
        }
    }

    /** Sleeps until near the deadline, or goes once round where that is now. */
    private void arm(long leftNs) {
        long sleepNs = armedScale.toWallNs(leftNs) - lead.ns();
        if (sleepNs > 0) {
            wakeNs = armedNs - armedScale.toDeviceNs(lead.ns());
        }
        timer = loop.schedule(fire, Math.max(0, sleepNs), TimeUnit.NANOSECONDS);
    }

    private void fire() {
        long nowNs = clock.nowNs();
        if (wakeNs != DeviceClock.NEVER) {
            lead.woke(armedScale.toWallNs(nowNs - wakeNs));
            wakeNs = DeviceClock.NEVER;
        }
        if (isNear(nowNs)) {
            nowNs = watch(nowNs);
        }
        if (armedNs - nowNs > 0) {
            arm(armedNs - nowNs);
            return;
        }
        armedNs = DeviceClock.NEVER;
        timer = null;
        task.run();
    }

    /** The deadline is to come, and too soon for a sleep. */
    private boolean isNear(long nowNs) {
        long leftNs = armedNs - nowNs;
        return leftNs > 0 && armedScale.toWallNs(leftNs) <= lead.ns();
    }

    /** Reads the clock until the deadline, but not for long: a round of the loop costs more. */
    private long watch(long fromNs) {
        long nowNs = fromNs;
        for (int i = 0; i < READINGS_PER_ROUND && armedNs - nowNs > 0; i++) {
            Thread.onSpinWait();
            nowNs = clock.nowNs();
        }
        return nowNs;
    }
}
