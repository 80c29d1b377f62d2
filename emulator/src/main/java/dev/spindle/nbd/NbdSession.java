package dev.spindle.nbd;

import dev.spindle.block.DirectMemory;
import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transmission phase of one connection (proto.md, Transmission). Owned by the loop that owns
 * the device, which also calls {@link #completed}; nothing here is ever touched by another thread.
 *
 * <p>It works in turns. Bytes come in and are decoded at once into requests that go to the device's
 * ring; when the socket has no more for now, the turn runs the device, which completes what it can,
 * and flushes all replies together. A completion at any other time, from a timer or from the turn
 * of another session, asks for a turn of its own, at most one per pass of the loop.
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
    private static final int RING_RETRY_MS = 1;

    /** Requests taken before the other sessions of the loop have their turns. */
    static final int TURN_REQUESTS = 256;

    private final ServerScope scope;
    private final NbdLimits limits;
    private final NbdCounters counters;
    private final Export export;
    private final BlockDevice device;
    private final @Nullable DirectMemory storeMemory;
    private final boolean readsInPlace;
    private final RequestRules rules;
    private final ReplyEncoder encoder = new SimpleReplies();
    private final Submitter submitter;
    private final Runnable askedTurn = this::takeAskedTurn;
    private final ReceiveBuffers receiveBuffers;
    private final ArrayDeque<NbdRequest> idle = new ArrayDeque<>();
    private final MemoryClaim claim;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ReplyBatch replies;
    private @Nullable RequestDecoder decoder;

    private @Nullable NbdRequest refusedByRing;
    private int inFlight;
    private long readBytesInFlight;
    private int publishedSinceRun;
    private boolean inTurn;
    private boolean turnAsked;
    private boolean isSentAsked;
    private boolean isDraining;
    private boolean isInputOver;
    private int takenInTurn;
    private final Farewell farewell = new Farewell();
    private boolean isDeaf;
    private boolean isGone;
    private boolean isOver;

    /** TLS needs the data of its replies in buffers that nothing else changes or counts. */
    NbdSession(
            ServerScope scope, Export export, ReceiveBuffers receiveBuffers, boolean isEncrypted) {
        this.scope = scope;
        this.export = export;
        this.receiveBuffers = receiveBuffers;
        limits = scope.limits();
        counters = scope.counters();
        device = export.device();
        storeMemory = isEncrypted ? null : device.directMemory();
        readsInPlace = storeMemory != null;
        rules = new RequestRules(device, limits.maxRequestBytes());
        claim = new MemoryClaim(scope.memory(), () -> ctx().executor().execute(this::memoryMayDo));
        String name = "nbd connection " + counters.connectionsOpened();
        submitter = new Submitter(name, this::askForTurn);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        replies = new ReplyBatch(ctx, storeMemory);
        decoder =
                new RequestDecoder(
                        this, limits.maxSkipBytes(), receiveBuffers, ctx.alloc(), counters);
    }

    /** The handshake's last reply goes out; what came after its last option is the first input. */
    void begin(ByteBuf handshakeReply, ByteBuf leftover) {
        LOG.info("{} uses export \"{}\"", ctx().channel(), export.name());
        var _ = ctx().writeAndFlush(handshakeReply, ctx().voidPromise());
        isDraining = scope.connections().isDraining();
        decoder().add(leftover);
        turn();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        decoder().add((ByteBuf) message);
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
        return refusedByRing == null
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
        if (!isAlone
                && decoder().heldBytes() + readBytesInFlight + bytes > limits.maxInFlightBytes()) {
            return false;
        }
        boolean isFree = command == NbdCommand.READ && (readsInPlace || isDeaf);
        long moreBytes = isFree ? 0 : bytes;
        return isGone || (isAlone && moreBytes == 0) || claim.reaches(memoryBytes() + moreBytes);
    }

    /** What the session keeps alive. Of replies from the store's memory, only the short ones. */
    private long memoryBytes() {
        long unsentBytes = unsentBytes();
        return decoder().heldBytes()
                + (readsInPlace
                        ? Math.min(unsentBytes, limits.writeHighWaterBytes())
                        : readBytesInFlight + unsentBytes);
    }

    private long unsentBytes() {
        var outbound = ctx().channel().unsafe().outboundBuffer();
        return outbound == null ? 0 : outbound.totalPendingWriteBytes();
    }

    private void memoryMayDo() {
        claim.woken();
        turn();
    }

    @Override
    public NbdError refusal(RequestHeader header) {
        takenInTurn++;
        return isDraining ? NbdError.ESHUTDOWN : rules.refusal(header);
    }

    @Override
    public NbdRequest newRequest(NbdCommand command, RequestHeader header) {
        NbdRequest request = idle.isEmpty() ? new NbdRequest(this) : idle.removeLast();
        request.prepare(command, header);
        return request;
    }

    @Override
    public void take(NbdRequest request) {
        if (request.command() == NbdCommand.READ && isDeaf) {
            idle.addLast(request);
            return;
        }
        try {
            submit(request);
        } catch (RuntimeException | OutOfMemoryError e) {
            release(request);
            throw e;
        }
    }

    private void submit(NbdRequest request) {
        if (request.command() == NbdCommand.READ) {
            prepareRead(request);
        }
        if (device.publish(request.block(), submitter)) {
            publishedSinceRun++;
        } else {
            refusedByRing = request;
        }
        inFlight++;
    }

    private void prepareRead(NbdRequest read) {
        int dataBytes = read.lengthBytes();
        if (!readsInPlace) {
            ByteBuf target = ctx().alloc().directBuffer(dataBytes, dataBytes);
            read.hold(target, target.nioBuffer(0, dataBytes), 0);
        }
        readBytesInFlight += dataBytes;
    }

    @Override
    public void answer(long cookie, NbdError error) {
        if (error != NbdError.NONE) {
            counters.errorReplies.increment();
        }
        if (!isDeaf) {
            encoder.status(replies(), cookie, error);
        }
    }

    /** What was asked for before is still done and answered. */
    @Override
    public void breach(String what) {
        counters.protocolErrors.increment();
        LOG.info("closing {} on export \"{}\": {}", ctx().channel(), export.name(), what);
    }

    // Completions and turns.

    /** One request has come back from the device. */
    void completed(NbdRequest request) {
        inFlight--;
        if (request.command() == NbdCommand.READ) {
            readBytesInFlight -= request.lengthBytes();
        }
        boolean wasInTurn = inTurn;
        inTurn = true; // nothing may come between the parts of a reply
        try {
            if (!isDeaf) {
                reply(request, NbdError.of(request.block().status()));
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

    private void reply(NbdRequest request, NbdError error) {
        if (error != NbdError.NONE || request.command() != NbdCommand.READ) {
            answer(request.cookie(), error);
        } else {
            encoder.data(replies(), request);
        }
        if (error == NbdError.NONE && request.command() == NbdCommand.READ) {
            counters.readBytes.add(request.lengthBytes());
        } else if (error == NbdError.NONE && request.command() == NbdCommand.WRITE) {
            counters.writtenBytes.add(request.lengthBytes());
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
        if (!inTurn && !turnAsked && !isOver) {
            turnAsked = true;
            ctx().executor().execute(askedTurn);
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
        boolean goesOn = true;
        while (goesOn) {
            int steps = decoder().decode();
            boolean hasRun = publishedSinceRun > 0 || refusedByRing != null;
            if (hasRun) {
                publishedSinceRun = 0;
                device.run();
                offerAgain();
            }
            if (!isDeaf) {
                replies().flush();
            }
            boolean mayGoOn = (steps > 0 || hasRun) && !decoder().isDry() && hasCredit();
            goesOn = publishedSinceRun > 0 || mayGoOn;
        }
    }

    private void offerAgain() {
        NbdRequest request = refusedByRing;
        if (request != null && device.publish(request.block(), submitter)) {
            refusedByRing = null;
            publishedSinceRun++;
        }
    }

    /** After a turn: what is the session to do until something happens? */
    private void settle() {
        if (refusedByRing != null && !turnAsked) {
            turnAsked = true;
            var _ = ctx().executor().schedule(askedTurn, RING_RETRY_MS, TimeUnit.MILLISECONDS);
        }
        if (isGone) {
            if (inFlight == 0 && !turnAsked) {
                end();
            }
            return;
        }
        settleClaim();
        if (inFlight == 0) {
            replies().shrink();
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
    }

    /** What waits for the client to read it is given back when it has. */
    private void settleClaim() {
        claim.shrinkTo(memoryBytes());
        if (!claim.isEmpty() && unsentBytes() > 0 && !isSentAsked) {
            isSentAsked = true;
            var _ =
                    ctx().writeAndFlush(Unpooled.EMPTY_BUFFER)
                            .addListener(sent -> {
                                isSentAsked = false;
                                askForTurn();
                            });
        }
    }

    private boolean wantsInput() {
        return !isInputOver && !decoder().isEnded() && decoder().isDry() && hasCredit();
    }

    private void hangUp() {
        farewell.now(ctx());
    }

    private void end() {
        isOver = true;
        claim.end();
        decoder().end();
        assert decoder().heldBytes() == 0 : decoder().heldBytes();
        replies().release();
        scope.connections().remove(ctx().channel());
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    private RequestDecoder decoder() {
        return Objects.requireNonNull(decoder);
    }

    private ReplyBatch replies() {
        return Objects.requireNonNull(replies);
    }
}
