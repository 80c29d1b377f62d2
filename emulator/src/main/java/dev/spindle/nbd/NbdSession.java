package dev.spindle.nbd;

import dev.spindle.queue.BlockDevice;
import dev.spindle.queue.Submitter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
 * protocol demands for DISC; after hanging up, reads and replies are dropped. The session is over
 * when the connection is closed and its last request has come back.
 */
final class NbdSession extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(NbdSession.class);
    private static final int RING_RETRY_MS = 1;

    /** How long a client that has left may take to read its last replies. */
    private static final int LINGER_MS = 10_000;

    private enum State {
        /** Waits for the header of a request. */
        HEADER,
        /** Has a good header and waits for the credit it needs. */
        ADMISSION,
        /** Assembles the payload of a WRITE. */
        PAYLOAD,
        /** Reads past the payload of a WRITE that is refused. */
        SKIP,
        /** Takes nothing any more. */
        LEAVING
    }

    private final ServerScope scope;
    private final NbdLimits limits;
    private final NbdCounters counters;
    private final Export export;
    private final BlockDevice device;
    private final boolean readsInPlace;
    private final RequestRules rules;
    private final ReplyEncoder encoder = new SimpleReplies();
    private final Submitter submitter = new Submitter(this::askForTurn);
    private final Runnable askedTurn = this::takeAskedTurn;
    private final ReceiveBuffers receiveBuffers;
    private final ByteBuf headerScratch = Unpooled.buffer(RequestHeader.BYTES, RequestHeader.BYTES);
    private final InboundBytes inbound = new InboundBytes(headerScratch);
    private final RequestHeader header = new RequestHeader();
    private final ArrayDeque<NbdRequest> idle = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private @Nullable ReplyBatch replies;

    private State state = State.HEADER;
    private @Nullable NbdRequest assembling;
    private @Nullable ByteBuf payload;
    private long skipBytes;
    private NbdError skipRefusal = NbdError.NONE;
    private @Nullable NbdRequest refusedByRing;
    private int inFlight;
    private long readBytesInFlight;
    private int publishedSinceRun;
    private boolean inTurn;
    private boolean turnAsked;
    private boolean isDraining;
    private boolean isClosing;
    private boolean isGone;
    private boolean isOver;

    NbdSession(ServerScope scope, Export export, ReceiveBuffers receiveBuffers) {
        this.scope = scope;
        this.export = export;
        this.receiveBuffers = receiveBuffers;
        limits = scope.limits();
        counters = scope.counters();
        device = export.device();
        readsInPlace = device.directMemory() != null;
        rules = new RequestRules(device, limits.maxRequestBytes());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        replies = new ReplyBatch(ctx, device.directMemory());
    }

    /**
     * The handshake's last reply goes out, and what came after its last option is the first input.
     */
    void begin(ByteBuf handshakeReply, ByteBuf leftover) {
        LOG.info("{} uses export \"{}\"", ctx().channel(), export.name());
        var _ = ctx().writeAndFlush(handshakeReply, ctx().voidPromise());
        isDraining = scope.connections().isDraining();
        inbound.add(leftover);
        turn();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf received = (ByteBuf) message;
        if (receiveBuffers.isLent(received)) {
            ByteBuf target = Objects.requireNonNull(payload);
            target.writerIndex(target.writerIndex() + received.readableBytes());
            received.release();
        } else {
            inbound.add(received);
        }
        takeRequests();
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
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isGone = true;
        counters.connectionsClosed.increment();
        LOG.info("{} closed, {} requests in flight", ctx.channel(), inFlight);
        turn();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{} failed", ctx.channel(), cause);
        } else {
            LOG.error("session of {} failed", ctx.channel(), cause);
        }
        var _ = ctx.close();
    }

    /** One request has come back from the device. */
    void completed(NbdRequest request) {
        inFlight--;
        NbdError error = NbdError.of(request.block().status());
        if (request.command() == NbdCommand.READ) {
            readBytesInFlight -= request.lengthBytes();
        }
        if (!isGone) {
            reply(request, error);
        }
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
            inbound.letGo(buffer);
        }
    }

    private void reply(NbdRequest request, NbdError error) {
        if (error != NbdError.NONE) {
            refuse(request.cookie(), error);
            return;
        }
        if (request.command() == NbdCommand.READ) {
            counters.readBytes.add(request.lengthBytes());
            encoder.data(replies(), request);
            return;
        }
        if (request.command() == NbdCommand.WRITE) {
            counters.writtenBytes.add(request.lengthBytes());
        }
        encoder.status(replies(), request.cookie(), NbdError.NONE);
    }

    private void refuse(long cookie, NbdError error) {
        counters.errorReplies.increment();
        if (!isGone) {
            encoder.status(replies(), cookie, error);
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
        boolean goesOn = true;
        while (goesOn) {
            int taken = takeRequests();
            if (publishedSinceRun > 0 || refusedByRing != null) {
                publishedSinceRun = 0;
                device.run();
                offerAgain();
            }
            if (!isGone) {
                replies().flush();
            }
            goesOn = publishedSinceRun > 0 || (taken > 0 && !inbound.isEmpty() && hasCredit());
        }
        inTurn = false;
        settle();
    }

    /** After a turn: what is the session to do until something happens? */
    private void settle() {
        if (refusedByRing != null && !turnAsked) {
            turnAsked = true;
            var _ = ctx().executor().schedule(askedTurn, RING_RETRY_MS, TimeUnit.MILLISECONDS);
        }
        if (isGone) {
            if (inFlight == 0) {
                end();
            }
            return;
        }
        boolean isIdle = inFlight == 0 && state != State.PAYLOAD && inbound.isEmpty();
        if (isIdle && (state == State.LEAVING || isDraining)) {
            closeAfterReplies();
        }
        boolean wantsInput = wantsInput();
        var config = ctx().channel().config();
        if (config.isAutoRead() != wantsInput) {
            config.setAutoRead(wantsInput);
        }
    }

    private boolean wantsInput() {
        return state != State.LEAVING && inbound.isEmpty() && hasCredit();
    }

    private boolean hasCredit() {
        return refusedByRing == null
                && inFlight < limits.windowRequests()
                && !submitter.isWaiting()
                && (isGone || ctx().channel().isWritable());
    }

    /** A request bigger than the bound is taken alone. */
    private boolean hasRoomFor(long bytes) {
        return inFlight == 0
                || inbound.heldBytes() + readBytesInFlight + bytes <= limits.maxInFlightBytes();
    }

    /** Decodes what is held as far as credit goes; the number of steps made. */
    private int takeRequests() {
        int steps = 0;
        while (step()) {
            steps++;
        }
        return steps;
    }

    private boolean step() {
        return switch (state) {
            case HEADER -> hasCredit() && inbound.readHeader(header) && examine();
            case ADMISSION -> admit();
            case PAYLOAD -> assemble();
            case SKIP -> skip();
            case LEAVING -> {
                inbound.dropAll();
                yield false;
            }
        };
    }

    private boolean examine() {
        if (!header.hasMagic()) {
            return breach("request magic 0x" + Integer.toHexString(header.magic()));
        }
        NbdCommand command = header.command();
        if (command != null) {
            counters.countRequest(command);
        }
        if (command == NbdCommand.DISC) {
            state = State.LEAVING;
            return true;
        }
        NbdError refusal = isDraining ? NbdError.ESHUTDOWN : rules.refusal(header);
        boolean isEmpty = header.lengthBytes() == 0 && command != NbdCommand.FLUSH;
        if (refusal == NbdError.NONE && !isEmpty) {
            state = State.ADMISSION;
            return true;
        }
        if (header.payloadBytes() > limits.maxSkipBytes()) {
            return breach("WRITE of " + header.lengthBytes() + " bytes");
        }
        skipBytes = header.payloadBytes();
        skipRefusal = refusal;
        state = State.SKIP;
        return true;
    }

    private boolean skip() {
        skipBytes -= inbound.skip(skipBytes);
        if (skipBytes > 0) {
            return false;
        }
        if (skipRefusal != NbdError.NONE) {
            refuse(header.cookie(), skipRefusal);
        } else if (!isGone) {
            encoder.status(replies(), header.cookie(), NbdError.NONE);
        }
        state = State.HEADER;
        return true;
    }

    private boolean admit() {
        NbdCommand command = Objects.requireNonNull(header.command());
        int dataBytes = (int) header.lengthBytes();
        boolean isRead = command == NbdCommand.READ;
        boolean isWrite = command == NbdCommand.WRITE;
        boolean isWhole = isWrite && inbound.isWhole(dataBytes);
        if (!hasRoomFor(isRead || (isWrite && !isWhole) ? dataBytes : 0)) {
            return false;
        }
        state = State.HEADER;
        if (isRead && isGone) {
            return true;
        }
        NbdRequest request = idle.isEmpty() ? new NbdRequest(this) : idle.removeLast();
        request.prepare(command, header);
        if (isWhole) {
            inbound.lend(request, dataBytes);
        } else if (isWrite) {
            startAssembling(request, dataBytes);
            return true;
        } else if (isRead) {
            readBytesInFlight += dataBytes;
            if (!readsInPlace) {
                ByteBuf target = ctx().alloc().directBuffer(dataBytes, dataBytes);
                request.hold(target, target.nioBuffer(0, dataBytes), 0);
            }
        }
        publish(request);
        return true;
    }

    private void startAssembling(NbdRequest request, int dataBytes) {
        ByteBuf target = ctx().alloc().directBuffer(dataBytes, dataBytes);
        inbound.adopt(target);
        payload = target;
        assembling = request;
        receiveBuffers.fill(target);
        state = State.PAYLOAD;
    }

    private boolean assemble() {
        ByteBuf target = Objects.requireNonNull(payload);
        inbound.copyTo(target);
        if (target.isWritable()) {
            return false;
        }
        NbdRequest request = Objects.requireNonNull(assembling);
        request.hold(target, target.nioBuffer(0, target.capacity()), 0);
        payload = null;
        assembling = null;
        receiveBuffers.stopFilling();
        state = State.HEADER;
        publish(request);
        return true;
    }

    private void publish(NbdRequest request) {
        inFlight++;
        if (device.publish(request.block(), submitter)) {
            publishedSinceRun++;
        } else {
            refusedByRing = request;
        }
    }

    private void offerAgain() {
        NbdRequest request = refusedByRing;
        if (request != null && device.publish(request.block(), submitter)) {
            refusedByRing = null;
            publishedSinceRun++;
        }
    }

    /**
     * The peer broke the protocol: nothing more is believed of it, what it asked before is done.
     */
    private boolean breach(String what) {
        counters.protocolErrors.increment();
        LOG.info("closing {} on export \"{}\": {}", ctx().channel(), export.name(), what);
        state = State.LEAVING;
        closeAfterReplies();
        return true;
    }

    private void closeAfterReplies() {
        state = State.LEAVING;
        if (!isClosing && !isGone) {
            isClosing = true;
            replies().flush();
            var sent = ctx().writeAndFlush(Unpooled.EMPTY_BUFFER);
            var _ = sent.addListener(ChannelFutureListener.CLOSE);
            if (!sent.isDone()) {
                var _ = ctx().executor().schedule(this::hangUp, LINGER_MS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private void hangUp() {
        var _ = ctx().close();
    }

    private void end() {
        isOver = true;
        receiveBuffers.stopFilling();
        inbound.dropAll();
        if (payload != null) {
            inbound.letGo(payload);
            payload = null;
        }
        headerScratch.release();
        replies().release();
        assert inbound.heldBytes() == 0 : inbound.heldBytes();
        scope.connections().remove(ctx().channel());
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    private ReplyBatch replies() {
        return Objects.requireNonNull(replies);
    }
}
