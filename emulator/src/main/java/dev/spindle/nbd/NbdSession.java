package dev.spindle.nbd;

import dev.spindle.block.DirectMemory;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transmission phase of one connection (proto.md, Transmission). Owned by the loop that owns
 * the device, which also calls {@link #completed}; nothing here is ever touched by another thread.
 *
 * <p>It works in turns. Bytes come in and are decoded at once into requests that go to the device's
 * ring; when the socket has no more for now, the turn runs the device, which completes what it can,
 * and flushes all replies together. Then the socket may be read once more ({@link FollowUpReads}).
 * A completion at any other time, from a timer or from the turn of another session, asks for a turn
 * of its own, at most one per pass of the loop.
 *
 * <p>A session takes in requests as long as it has credit: a place in its window, memory within its
 * bound, a submitter that does not wait for the pool, a place in the ring, a client that reads its
 * replies. Without it decoding stops where it is and the socket is not read; any event that may
 * give credit leads to a turn, which first goes on with the bytes already held.
 *
 * <p>A client that leaves, by DISC or by hanging up, has what it sent whole carried out, as the
 * protocol demands for DISC. One that no longer takes replies is deaf: its reads and replies are
 * dropped, but its writes are read to the end, where a DISC may stand. The session is over when the
 * connection is closed and its last request has come back.
 */
final class NbdSession extends ChannelInboundHandlerAdapter implements RequestDecoder.Taker {
    private static final Logger LOG = LoggerFactory.getLogger(NbdSession.class);

    /** Requests taken before the other sessions of the loop have their turns. */
    static final int TURN_REQUESTS = 256;

    private final ServerScope scope;
    private final NbdLimits limits;
    private final NbdCounters counters;
    private final Export export;
    private final EventLoop loop;
    private final Terms terms;
    private final BlockDevice device;
    private final @Nullable DirectMemory storeMemory;
    private final boolean readsInPlace;
    private final RequestRules rules;
    private final Submitter submitter;
    private final RingEntrance entrance;
    private final Runnable askedTurn = this::takeAskedTurn;
    private final ReceiveBuffers receiveBuffers;
    private final ArrayDeque<NbdRequest> idle = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable Replier replier;
    private @Nullable RequestDecoder decoder;
    private @Nullable SessionMemory memory;
    private @Nullable PayloadDeadline payloadDeadline;

    private int inFlight;
    private boolean inTurn;
    private boolean turnAsked;
    private boolean isDraining;
    private boolean isInputOver;
    private int takenInTurn;
    private final Farewell farewell = new Farewell();
    private boolean isDeaf;
    private boolean isGone;
    private boolean isOver;

    /** TLS needs the data of its replies in buffers that nothing else changes or counts. */
    NbdSession(
            ServerScope scope,
            Export export,
            Terms terms,
            ReceiveBuffers receiveBuffers,
            boolean isEncrypted) {
        this.scope = scope;
        this.export = export;
        this.terms = terms;
        loop = export.loop();
        this.receiveBuffers = receiveBuffers;
        limits = scope.limits();
        counters = scope.counters();
        device = export.device();
        storeMemory = isEncrypted ? null : device.directMemory();
        readsInPlace = storeMemory != null;
        rules = new RequestRules(device, limits.maxRequestBytes(), terms);
        String name = "nbd connection " + counters.connectionsOpened();
        submitter = new Submitter(name, this::askForTurn);
        entrance = new RingEntrance(device, submitter, this::askForTurn);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        ReplyBatch batch = new ReplyBatch(ctx, storeMemory);
        replier = new Replier(terms, rules, batch, counters);
        decoder =
                new RequestDecoder(
                        this,
                        limits.skipBytes(terms.isExtended()),
                        terms.isExtended(),
                        receiveBuffers,
                        ctx.alloc(),
                        counters);
        memory = new SessionMemory(scope, readsInPlace, ctx, decoder, export, this::askForTurn);
        payloadDeadline =
                new PayloadDeadline(
                        loop, decoder, limits.payloadDeadlineMs(), this::missedPayloadDeadline);
    }

    /** The handshake's last reply goes out; what came after its last option is the first input. */
    void begin(ByteBuf handshakeReply, ByteBuf leftover) {
        LOG.info("{} uses export \"{}\"", ctx().channel(), export.name());
        var _ = ctx().writeAndFlush(handshakeReply, ctx().voidPromise());
        isDraining = scope.connections().isDraining();
        decoder().add(leftover);
        turn();
    }

    /**
     * Instead of {@link #begin} when the channel has closed already, and belongs to no pipeline or
     * loop any more: what was received whole is done, and nobody is answered.
     */
    void takeOverFromAClientThatLeft(ChannelHandlerContext ctx, ByteBuf received) {
        handlerAdded(ctx);
        decoder().add(received);
        channelInactive(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        decoder().add((ByteBuf) message);
        if (receiveBuffers.isEmptied()) {
            turn();
            return;
        }
        boolean wasInTurn = inTurn;
        inTurn = true;
        try {
            decoder().decode();
        } catch (RuntimeException | OutOfMemoryError e) {
            fail(e);
        }
        inTurn = wasInTurn;
        if (!wantsInput()) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        turn();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            askForTurn();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == Connections.Event.DRAIN) {
            isDraining = true;
            turn();
        } else if (event == ChannelOutputShutdownEvent.INSTANCE) {
            isDeaf = true;
            askForTurn();
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            isInputOver = true;
            turn();
        } else if (event instanceof IdleStateEvent) {
            leaveIfIdle();
        } else if (event instanceof SslCloseCompletionEvent && !decoder().isEnded()) {
            hangUp();
        }
    }

    /** Nothing has come for as long as the bound, and the device has nothing of it. */
    private void leaveIfIdle() {
        if (inFlight == 0 && !farewell.isUnderWay()) {
            counters.idleTimeouts.increment();
            LOG.info("closing {}: idle for {} ms", ctx().channel(), limits.idleMs());
            hangUp();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isGone = true;
        isDeaf = true;
        counters.connectionsClosed.increment();
        LOG.info("{} closed, {} requests in flight", ctx.channel(), inFlight);
        turn();
    }

    /**
     * After a failed read Netty closes by itself; a failed write makes the client deaf, no more.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (ServerTls.isFailure(cause)) {
            breach("TLS: " + cause.getMessage());
            decoder().end();
            hangUp();
        } else if (cause instanceof IOException) {
            LOG.debug("{} failed", ctx.channel(), cause);
        } else {
            fail(cause);
            askForTurn();
        }
    }

    /** An invariant is broken: nothing more is taken or sent, what the device has is waited for. */
    private void fail(Throwable cause) {
        LOG.error("session of {} failed", ctx().channel(), cause);
        isDeaf = true;
        decoder().end();
        hangUp();
    }

    // What the decoder asks and tells.

    @Override
    public boolean hasCredit() {
        return !entrance.hasWaiting()
                && takenInTurn < TURN_REQUESTS
                && inFlight < limits.windowRequests()
                && !submitter.isWaiting()
                && (isDeaf || ctx().channel().isWritable());
    }

    /**
     * A request bigger than the session's bound is taken alone. The memory of all is not asked
     * where none is needed: for what is whole already, and for reads from the store's own.
     */
    @Override
    public boolean hasRoomFor(NbdCommand command, long bytes) {
        boolean isAlone = inFlight == 0;
        if (!isAlone && !memory().isWithinBound(bytes)) {
            return false;
        }
        boolean isFree = command.isQuestion() && (readsInPlace || isDeaf);
        long moreBytes = isFree ? 0 : bytes;
        return isGone || (isAlone && moreBytes == 0) || memory().isGranted(moreBytes);
    }

    @Override
    public Refusal refusal(RequestHeader header) {
        takenInTurn++;
        return isDraining ? Refusal.SHUTDOWN : rules.refusal(header);
    }

    @Override
    public NbdRequest newRequest(NbdCommand command, RequestHeader header) {
        NbdRequest request = idle.isEmpty() ? new NbdRequest(this) : idle.removeLast();
        request.prepare(command, header);
        return request;
    }

    @Override
    public void take(NbdRequest request) {
        if (request.command().isQuestion() && isDeaf) {
            idle.addLast(request);
            return;
        }
        try {
            submit(request);
        } catch (RuntimeException | OutOfMemoryError e) {
            inFlight--;
            memory().ends(request);
            release(request);
            throw e;
        }
    }

    private void submit(NbdRequest request) {
        inFlight++;
        memory().begins(request);
        if (request.command() == NbdCommand.READ && !readsInPlace) {
            int dataBytes = request.dataBytes();
            ByteBuf target = ctx().alloc().directBuffer(dataBytes, dataBytes);
            request.hold(target, target.nioBuffer(0, dataBytes), 0);
        }
        if (request.command() == NbdCommand.BLOCK_STATUS) {
            device.findExtents(
                    request.offsetBytes(), request.lengthBytes(), request.extents(), request);
        } else {
            entrance.publish(request);
        }
    }

    @Override
    public void answer(RequestHeader header, Refusal refusal) {
        if (refusal != Refusal.NONE) {
            counters.errorReplies.increment();
        }
        if (!isDeaf) {
            replier().answer(header, refusal);
        }
    }

    /** What was asked for before is still done and answered. */
    @Override
    public void breach(String what) {
        counters.protocolErrors.increment();
        LOG.info("closing {} on export \"{}\": {}", ctx().channel(), export.name(), what);
    }

    // Completions and turns.

    /** One request has come back from the device, or one slice of it. */
    void completed(NbdRequest request) {
        if (request.goesOn()) {
            entrance.publishNextTurn(request);
            askForNextTurn();
            return;
        }
        inFlight--;
        memory().ends(request);
        boolean wasInTurn = inTurn;
        inTurn = true; // nothing may come between the parts of a reply
        try {
            if (!isDeaf) {
                replier().answer(request);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            fail(e); // not the device's business
        }
        inTurn = wasInTurn;
        release(request);
        idle.addLast(request);
        if (!inTurn) {
            askForTurn();
        }
    }

    /** The buffer of a READ is its own; that of a WRITE is counted where it came from. */
    private void release(NbdRequest request) {
        ByteBuf buffer = request.takeBuffer();
        if (buffer == null) {
            return;
        }
        if (request.command() == NbdCommand.READ) {
            buffer.release();
        } else {
            decoder().letGo(buffer);
        }
    }

    private void askForTurn() {
        if (!inTurn) {
            askForNextTurn();
        }
    }

    private void askForNextTurn() {
        if (!turnAsked && !isOver) {
            turnAsked = true;
            loop.execute(askedTurn);
        }
    }

    private void takeAskedTurn() {
        turnAsked = false;
        turn();
    }

    /** Decode, run, flush, as long as that brings credit for more of what is held. */
    private void turn() {
        if (inTurn || isOver) {
            return;
        }
        inTurn = true;
        try {
            work();
        } catch (RuntimeException | OutOfMemoryError e) {
            fail(e);
        }
        inTurn = false;
        boolean isCutShort = takenInTurn >= TURN_REQUESTS;
        takenInTurn = 0;
        if (isCutShort && !decoder().isDry()) {
            askForTurn();
        }
        settle();
    }

    private void work() {
        entrance.publishWaiting();
        boolean goesOn = true;
        while (goesOn) {
            int steps = decoder().decode();
            boolean hasRun = entrance.run();
            if (!isDeaf) {
                replier().flush();
            }
            boolean mayGoOn = (steps > 0 || hasRun) && !decoder().isDry() && hasCredit();
            goesOn = entrance.hasPublished() || mayGoOn;
        }
    }

    /** After a turn: what is the session to do until something happens? */
    private void settle() {
        entrance.awaitRoomIfFull();
        if (isGone) {
            if (inFlight == 0 && !turnAsked) {
                end();
            }
            return;
        }
        memory().settle();
        if (inFlight == 0) {
            replier().shrink();
        }
        boolean isIdle = inFlight == 0 && decoder().isDry();
        boolean mayFinish = decoder().isAssembling() && !isInputOver;
        boolean isLeaving = decoder().isEnded() || isDraining || isInputOver;
        if (isIdle && !mayFinish && isLeaving) {
            farewell.afterReplies(ctx());
        }
        boolean wantsInput = wantsInput();
        var config = ctx().channel().config();
        if (config.isAutoRead() != wantsInput) {
            config.setAutoRead(wantsInput);
        }
        Objects.requireNonNull(payloadDeadline).look(wantsInput);
    }

    /**
     * Its client has stopped in the middle of a WRITE; what came before it is done and answered.
     */
    private void missedPayloadDeadline() {
        counters.payloadTimeouts.increment();
        LOG.info(
                "closing {} on export \"{}\": a WRITE not whole within {} ms",
                ctx().channel(),
                export.name(),
                limits.payloadDeadlineMs());
        decoder().end();
        turn();
    }

    private boolean wantsInput() {
        return !isInputOver && !decoder().isEnded() && decoder().isDry() && hasCredit();
    }

    private void hangUp() {
        farewell.now(ctx());
    }

    private void end() {
        isOver = true;
        farewell.end();
        Objects.requireNonNull(payloadDeadline).end();
        memory().end();
        decoder().end();
        assert decoder().heldBytes() == 0 : decoder().heldBytes();
        replier().release();
        scope.connections().remove(ctx().channel());
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    private RequestDecoder decoder() {
        return Objects.requireNonNull(decoder);
    }

    private SessionMemory memory() {
        return Objects.requireNonNull(memory);
    }

    private Replier replier() {
        return Objects.requireNonNull(replier);
    }
}
