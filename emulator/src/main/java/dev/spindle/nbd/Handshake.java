package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first phase of a connection (proto.md, Fixed newstyle negotiation), up to the option that
 * names a device. Owned by the loop that accepted the connection. It ends in one of three ways: the
 * connection moves to the loop of its device and an {@link NbdSession} takes this handler's place,
 * the connection is closed, or the deadline comes.
 *
 * <pre>
 *  server, at once               client                       client, each option
 *  offset  bytes                 offset  bytes                offset  bytes
 *       0      8  NBDMAGIC            0      4  client flags       0      8  IHAVEOPT
 *       8      8  IHAVEOPT                                         8      4  option
 *      16      2  handshake flags                                 12      4  n, length of data
 *                                                                 16      n  data
 * </pre>
 */
final class Handshake extends ChannelInboundHandlerAdapter {
    static final long NBDMAGIC = 0x4e42444d41474943L;
    static final long IHAVEOPT = 0x49484156454F5054L;
    static final int FIXED_NEWSTYLE = 1;
    static final int NO_ZEROES = 1 << 1;

    /** Data of an option up to this length is skipped; more is an attack. */
    static final int MAX_OPTION_SKIP_BYTES = 1 << 20;

    private static final int OPTION_HEADER_BYTES = 16;
    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

    private enum State {
        FLAGS,
        OPTION,
        DATA,
        SKIP,
        /** STARTTLS is acknowledged; what follows is not ours to read. */
        UPGRADE,
        OVER
    }

    private final ServerScope scope;
    private final ReceiveBuffers receiveBuffers;
    private final StartTls startTls;
    private Options options;
    private boolean withoutZeroes;
    private State state = State.FLAGS;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private int optionsSeen;
    private int option;
    private int optionBytes;
    private @Nullable Future<?> deadline;
    private @Nullable Export export;
    private Terms terms = Terms.PLAIN;
    private ByteBuf lastReply = Unpooled.EMPTY_BUFFER;
    private boolean isMoving;
    private boolean isEnded;

    /** On a socket without TLS. */
    Handshake(ServerScope scope, ReceiveBuffers receiveBuffers) {
        this(scope, receiveBuffers, new StartTls(TlsMode.OFF, null));
    }

    Handshake(ServerScope scope, ReceiveBuffers receiveBuffers, StartTls startTls) {
        this.scope = scope;
        this.receiveBuffers = receiveBuffers;
        this.startTls = startTls;
        options = newOptions();
    }

    private Options newOptions() {
        return new Options(scope.exports(), scope.limits().maxRequestBytes());
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        var _ = ctx.channel().closeFuture().addListener(closed -> end(ctx));
        ByteBuf greeting = ctx.alloc().buffer(18);
        greeting.writeLong(NBDMAGIC).writeLong(IHAVEOPT).writeShort(FIXED_NEWSTYLE | NO_ZEROES);
        var _ = ctx.writeAndFlush(greeting, ctx.voidPromise());
        int deadlineMs = scope.limits().handshakeDeadlineMs();
        deadline = ctx.executor().schedule(() -> late(ctx), deadlineMs, TimeUnit.MILLISECONDS);
    }

    private void late(ChannelHandlerContext ctx) {
        if (state != State.OVER) {
            scope.counters().handshakeTimeouts.increment();
            LOG.info("closing {}: handshake not finished by its deadline", ctx.channel());
            var _ = ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        if (state == State.OVER && !isMoving) {
            received.release();
            return;
        }
        ByteBuf before = held;
        if (before.isReadable()) {
            held = ctx.alloc().buffer(before.readableBytes() + received.readableBytes());
            held.writeBytes(before).writeBytes(received);
            received.release();
        } else {
            held = received;
        }
        before.release();
        if (state != State.OVER) {
            decode(ctx);
        }
    }

    private void decode(ChannelHandlerContext ctx) {
        ByteBuf out = ctx.alloc().buffer();
        boolean hasMore = true;
        while (hasMore) {
            hasMore =
                    switch (state) {
                        case FLAGS -> readFlags(ctx);
                        case OPTION -> readOptionHeader(ctx);
                        case DATA -> readOptionData(ctx, out);
                        case SKIP -> skipOptionData(ctx, out);
                        case UPGRADE, OVER -> false;
                    };
        }
        if (state == State.UPGRADE) {
            upgrade(ctx, out);
        } else if (isMoving) {
            move(ctx, out);
        } else if (state == State.OVER) {
            var _ = ctx.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
        } else {
            var _ = ctx.writeAndFlush(out, ctx.voidPromise());
        }
    }

    private boolean readFlags(ChannelHandlerContext ctx) {
        if (held.readableBytes() < 4) {
            return false;
        }
        int flags = held.readInt();
        if ((flags & ~(FIXED_NEWSTYLE | NO_ZEROES)) != 0) {
            return breach("unknown client flags 0x" + Integer.toHexString(flags), ctx);
        }
        if ((flags & NO_ZEROES) != 0) {
            withoutZeroes = true;
            options.omitZeroes();
        }
        state = State.OPTION;
        return true;
    }

    private boolean readOptionHeader(ChannelHandlerContext ctx) {
        if (held.readableBytes() < OPTION_HEADER_BYTES) {
            return false;
        }
        long magic = held.readLong();
        option = held.readInt();
        optionBytes = held.readInt();
        if (magic != IHAVEOPT) {
            return breach("option magic 0x" + Long.toHexString(magic), ctx);
        }
        if (++optionsSeen > scope.limits().maxOptions()) {
            return breach("more options than " + scope.limits().maxOptions(), ctx);
        }
        if (Integer.compareUnsigned(optionBytes, MAX_OPTION_SKIP_BYTES) > 0) {
            String length = Integer.toUnsignedString(optionBytes);
            return breach("option " + option + " with " + length + " bytes of data", ctx);
        }
        state = optionBytes > scope.limits().maxOptionBytes() ? State.SKIP : State.DATA;
        return true;
    }

    private boolean readOptionData(ChannelHandlerContext ctx, ByteBuf out) {
        if (held.readableBytes() < optionBytes) {
            return false;
        }
        state = State.OPTION;
        ByteBuf data = held.readSlice(optionBytes);
        return switch (startTls.judge(option, data.isReadable(), out)) {
            case PASS -> proceed(ctx, options.answer(option, data, out));
            case REFUSED -> true;
            case BEGIN -> agreeOnTls(ctx);
            case HANG_UP -> hangUpWithoutTls(ctx);
        };
    }

    private boolean skipOptionData(ChannelHandlerContext ctx, ByteBuf out) {
        int skipped = Math.min(optionBytes, held.readableBytes());
        held.skipBytes(skipped);
        optionBytes -= skipped;
        if (optionBytes > 0) {
            return false;
        }
        state = State.OPTION;
        return switch (startTls.judge(option, true, out)) {
            case PASS -> proceed(ctx, options.answerTooLong(option, out));
            case REFUSED -> true;
            case BEGIN -> throw new IllegalStateException("STARTTLS with data");
            case HANG_UP -> hangUpWithoutTls(ctx);
        };
    }

    private boolean hangUpWithoutTls(ChannelHandlerContext ctx) {
        return proceed(ctx, new Options.Outcome.HangUp("EXPORT_NAME without the TLS it requires"));
    }

    /**
     * A client must await the acknowledgement. What came behind the option already, in the clear,
     * may be somebody else's, to be taken for what the client says in TLS (CVE-2011-0411 is the
     * same with SMTP).
     */
    private boolean agreeOnTls(ChannelHandlerContext ctx) {
        if (held.isReadable()) {
            return breach(held.readableBytes() + " bytes in the clear behind STARTTLS", ctx);
        }
        state = State.UPGRADE;
        return false;
    }

    /**
     * The reply is the last in the clear. What was agreed on before, but the flags, is forgotten.
     */
    private void upgrade(ChannelHandlerContext ctx, ByteBuf reply) {
        var _ = ctx.writeAndFlush(reply, ctx.voidPromise());
        ctx.pipeline().addFirst("tls", startTls.encrypt(ctx.alloc()));
        options = newOptions();
        if (withoutZeroes) {
            options.omitZeroes();
        }
        state = State.OPTION;
    }

    private boolean proceed(ChannelHandlerContext ctx, Options.Outcome outcome) {
        switch (outcome) {
            case Options.Outcome.Next next -> {
                return true;
            }
            case Options.Outcome.Begin(Export chosen, Terms agreed) -> {
                export = chosen;
                terms = agreed;
                isMoving = true;
                state = State.OVER;
            }
            case Options.Outcome.Abort abort -> state = State.OVER;
            case Options.Outcome.HangUp(String reason) -> {
                LOG.info("closing {}: {}", ctx.channel(), reason);
                state = State.OVER;
            }
        }
        return false;
    }

    /** The peer broke the protocol. */
    private boolean breach(String what, ChannelHandlerContext ctx) {
        scope.counters().protocolErrors.increment();
        LOG.info("closing {} in its handshake: {}", ctx.channel(), what);
        state = State.OVER;
        return false;
    }

    /**
     * Leaves this loop for the device's. The last reply goes along, so that the client hears
     * nothing, and sends nothing, until the session is there to receive it.
     */
    private void move(ChannelHandlerContext ctx, ByteBuf reply) {
        Export chosen = Objects.requireNonNull(export);
        lastReply = reply;
        if (chosen.loop().inEventLoop()) {
            begin(ctx, chosen);
            return;
        }
        ctx.channel().config().setAutoRead(false);
        var _ = ctx.deregister().addListener(left -> arrive(ctx, chosen));
    }

    private void arrive(ChannelHandlerContext ctx, Export chosen) {
        if (isEnded) {
            return;
        }
        var _ =
                chosen.loop()
                        .register(ctx.channel())
                        .addListener(arrived -> {
                            if (arrived.isSuccess() && !isEnded) {
                                begin(ctx, chosen);
                            } else {
                                var _ = ctx.channel().close();
                            }
                        });
    }

    /** On the device's loop, from here on alone with the channel. */
    private void begin(ChannelHandlerContext ctx, Export chosen) {
        boolean isEncrypted = startTls.isEncrypted();
        // What the socket receives then is not what goes into a payload.
        ReceiveBuffers buffers = isEncrypted ? new ReceiveBuffers() : receiveBuffers;
        NbdSession session = new NbdSession(scope, chosen, terms, buffers, isEncrypted);
        ByteBuf leftover = held;
        ByteBuf reply = lastReply;
        held = Unpooled.EMPTY_BUFFER;
        lastReply = Unpooled.EMPTY_BUFFER;
        isMoving = false;
        isEnded = true;
        cancelDeadline();
        int idleMs = scope.limits().idleMs();
        if (idleMs > 0) {
            ctx.pipeline()
                    .addLast("idle", new IdleStateHandler(idleMs, 0, 0, TimeUnit.MILLISECONDS));
            ctx.pipeline().addLast("session", session);
            ctx.pipeline().remove(this);
        } else {
            ctx.pipeline().replace(this, "session", session);
        }
        session.begin(reply, leftover);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == Connections.Event.DRAIN && !isMoving) {
            var _ = ctx.close();
        } else if (event instanceof SslHandshakeCompletionEvent shaken) {
            tlsEnded(ctx, shaken);
        } else if (isEnd(event) && !isMoving) {
            var _ = ctx.close();
        }
    }

    private static boolean isEnd(Object event) {
        return event instanceof SslCloseCompletionEvent
                || event == ChannelInputShutdownEvent.INSTANCE;
    }

    /** If it failed the handler closes by itself. */
    private void tlsEnded(ChannelHandlerContext ctx, SslHandshakeCompletionEvent shaken) {
        if (shaken.isSuccess()) {
            scope.counters().tlsConnections.increment();
            LOG.info("{} uses TLS", ctx.channel());
        } else {
            scope.counters().tlsFailures.increment();
            LOG.info("closing {}: TLS failed: {}", ctx.channel(), shaken.cause().getMessage());
        }
    }

    /**
     * The channel has closed with the handshake still in charge. Hangs on the channel's close
     * future, since between two loops a channel that closes tells its handlers nothing.
     */
    private void end(ChannelHandlerContext ctx) {
        if (isEnded) {
            return;
        }
        isEnded = true;
        state = State.OVER;
        cancelDeadline();
        lastReply.release();
        if (isMoving) {
            isMoving = false;
            leaveBehind(ctx, Objects.requireNonNull(export));
            return;
        }
        held.release();
        scope.counters().connectionsClosed.increment();
        scope.connections().remove(ctx.channel());
    }

    /**
     * The client has left on the way to its device. What it had sent whole is still done, by a
     * session that has nobody to answer to.
     */
    private void leaveBehind(ChannelHandlerContext ctx, Export chosen) {
        NbdSession session =
                new NbdSession(scope, chosen, terms, receiveBuffers, startTls.isEncrypted());
        ByteBuf leftover = held;
        held = Unpooled.EMPTY_BUFFER;
        chosen.loop().execute(() -> session.takeOverFromAClientThatLeft(ctx, leftover));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !ServerTls.isFailure(cause)) {
            LOG.error("handshake with {} failed", ctx.channel(), cause);
        }
        var _ = ctx.close();
    }
}
