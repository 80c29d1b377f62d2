package dev.spindle.nbd;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How a session's connection ends. Owned by its session. */
final class Farewell {
    /** How long a client that has left may take to read its last replies. */
    private static final int LINGER_MS = 10_000;

    private boolean isUnderWay;
    private @Nullable Future<?> linger;

    boolean isUnderWay() {
        return isUnderWay;
    }

    /** Closes when the client has read what is still to be sent, or has had its time for that. */
    void afterReplies(ChannelHandlerContext ctx) {
        if (isUnderWay) {
            return;
        }
        isUnderWay = true;
        var sent = ctx.writeAndFlush(Unpooled.EMPTY_BUFFER);
        var _ = sent.addListener(ChannelFutureListener.CLOSE);
        if (!sent.isDone()) {
            linger = ctx.executor().schedule(() -> now(ctx), LINGER_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** The session is over: no timer is left behind. */
    void end() {
        if (linger != null) {
            linger.cancel(false);
        }
    }

    void now(ChannelHandlerContext ctx) {
        var _ = ctx.close();
    }
}
