package dev.spindle.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the control socket, owned by the control loop: a line, its answer, the next
 * line. Lines that come early wait; the socket is not read meanwhile, so no more than one receive
 * buffer of them.
 */
final class ControlSession extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSession.class);

    /** Less than any client waits for a sign of life. */
    private static final int PATIENCE_SECONDS = 4;

    private final ControlDesk desk;
    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private @Nullable Future<?> patience;
    private boolean isBusy;
    private boolean isLeaving;

    ControlSession(ControlDesk desk) {
        this.desk = desk;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf line) {
        if (!isLeaving) {
            waiting.addLast(line.toString(StandardCharsets.UTF_8));
            next(ctx);
        }
    }

    private void next(ChannelHandlerContext ctx) {
        String line = isBusy ? null : waiting.pollFirst();
        if (line == null) {
            return;
        }
        ControlRequest request;
        try {
            request = ControlRequest.parse(line);
        } catch (BadRequestException e) {
            dismiss(ctx, String.valueOf(e.getMessage()));
            return;
        }
        isBusy = true;
        patience =
                ctx.executor()
                        .scheduleAtFixedRate(
                                () -> askForPatience(ctx),
                                PATIENCE_SECONDS,
                                PATIENCE_SECONDS,
                                TimeUnit.SECONDS);
        ctx.channel().config().setAutoRead(false);
        var _ = desk.answer(request).thenAcceptAsync(answer -> reply(ctx, answer), ctx.executor());
    }

    /** An answer may begin with blanks; they tell whoever waits that it is being worked on. */
    private static void askForPatience(ChannelHandlerContext ctx) {
        var _ = ctx.writeAndFlush(ByteBufUtil.writeUtf8(ctx.alloc(), " "));
    }

    private void endPatience() {
        if (patience != null) {
            patience.cancel(false);
            patience = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        endPatience();
        ctx.fireChannelInactive();
    }

    private void reply(ChannelHandlerContext ctx, Map<String, Object> answer) {
        isBusy = false;
        endPatience();
        var _ = write(ctx, answer);
        next(ctx);
        ctx.channel().config().setAutoRead(!isBusy);
    }

    private ChannelFuture write(ChannelHandlerContext ctx, Map<String, Object> answer) {
        String line = Json.render(answer) + '\n';
        return ctx.writeAndFlush(ByteBufUtil.writeUtf8(ctx.alloc(), line));
    }

    /** The peer broke the protocol: says why and closes. */
    private void dismiss(ChannelHandlerContext ctx, String why) {
        LOG.info("control: a connection closed: {}", why);
        isLeaving = true;
        waiting.clear();
        var _ =
                write(ctx, ControlDesk.refusal("control request: " + why))
                        .addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && !isBusy) {
            var _ = ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof TooLongFrameException) {
            dismiss(ctx, "a line longer than " + ControlServer.MAX_LINE_BYTES + " bytes");
        } else {
            LOG.info("control: a connection closed: {}", cause.getMessage());
            var _ = ctx.close();
        }
    }
}
