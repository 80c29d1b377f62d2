package dev.spindle.nbd;

import io.netty.channel.EventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts off a client that has stopped in the middle of a WRITE, so that the memory taken for its
 * data comes back. Time counts while the server reads the socket. One timer a session, started when
 * a WRITE is found half there and looked at four times within the deadline; so it is kept to within
 * a quarter, and a WRITE that takes several reads costs no timer of its own. Owned by its session.
 */
final class PayloadDeadline {
    private static final int TICKS = 4;

    private final EventLoop loop;
    private final RequestDecoder decoder;
    private final long tickMs;
    private final Runnable onMissed;
    private final Runnable tick = this::tick;
    private @Nullable Future<?> nextTick;
    private boolean isTicking;
    private boolean isPaused;
    private long watched;
    private int ticks;

    PayloadDeadline(EventLoop loop, RequestDecoder decoder, int deadlineMs, Runnable onMissed) {
        this.loop = loop;
        this.decoder = decoder;
        tickMs = Math.max(1, deadlineMs / TICKS);
        this.onMissed = onMissed;
    }

    /** After each turn: whether a WRITE is half there, and whether the socket is being read. */
    void look(boolean isReading) {
        if (!decoder.isAssembling()) {
            return;
        }
        isPaused |= !isReading;
        if (!isTicking) {
            isTicking = true;
            watch();
            next();
        }
    }

    /** The session is over: a timer left behind would keep all of it in memory. */
    void end() {
        if (nextTick != null) {
            nextTick.cancel(false);
        }
    }

    private void watch() {
        watched = decoder.assembled();
        ticks = 0;
    }

    private void next() {
        nextTick = loop.schedule(tick, tickMs, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        if (!decoder.isAssembling()) {
            isTicking = false;
            return;
        }
        if (decoder.assembled() != watched) {
            watch();
        } else if (!isPaused) {
            ticks++;
        }
        isPaused = false;
        if (ticks == TICKS) {
            isTicking = false;
            onMissed.run();
        } else {
            next();
        }
    }
}
