package dev.spindle.shm;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of an attached process, on the loop of its device. It is there to be closed: by the
 * kernel, when the process has ended, however it has. Meanwhile the process sends single bytes.
 *
 * <pre>
 *   M   it has mapped its file, whose name can go
 *   B   there is something in the ring and the daemon was parked
 *   G   its arena is filling up
 * </pre>
 *
 * <p>The daemon sends nothing.
 */
final class ShmSocket extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ShmSocket.class);

    private final ShmScope scope;
    private final ShmSession session;
    private final ChannelHandlerContext context;

    ShmSocket(ShmScope scope, ShmSession session, ChannelHandlerContext context) {
        this.scope = scope;
        this.session = session;
        this.context = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable()) {
                take(ctx, bytes.readByte());
            }
        } finally {
            bytes.release();
        }
    }

    private void take(ChannelHandlerContext ctx, byte letter) {
        switch (letter) {
            case 'B' -> session.rung();
            case 'G' -> scope.attaching().execute(() -> scope.grow(session.file()));
            case 'M' -> scope.attaching().execute(this::removeName);
            default -> {
                scope.counters().protocolErrors.increment();
                LOG.info("closing {}: byte {} means nothing", ctx.channel(), letter);
                var _ = ctx.close();
            }
        }
    }

    private void removeName() {
        try {
            session.file().removeName();
        } catch (IOException e) {
            LOG.warn("cannot remove {}", session.file().path(), e);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session.end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{} failed", ctx.channel(), cause);
        } else {
            LOG.error("{} failed", ctx.channel(), cause);
        }
        var _ = ctx.close();
    }

    /** Any thread: the process is to take its leave. */
    void drain() {
        context.executor().execute(session::end);
    }
}
