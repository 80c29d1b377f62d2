package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of received bytes, as long as its taker gives it credit; without, it stops where
 * it is and keeps the rest. A refused request costs its reply and nothing else: its payload, if it
 * has one, is read and dropped, and the stream stays in sync. Owned by its session.
 */
final class RequestDecoder {
    /** Who the requests are for. */
    interface Taker {
        /** May another request be taken at all? */
        boolean hasCredit();

        /** May such a request have that much memory, beyond what the decoder holds? */
        boolean hasRoomFor(NbdCommand command, long bytes);

        /** Why the request cannot be served, or NONE. */
        Refusal refusal(RequestHeader header);

        /** A request with nothing but what the header says. */
        NbdRequest newRequest(NbdCommand command, RequestHeader header);

        /** The request is whole. */
        void take(NbdRequest request);

        /** Answers a request that is not for the device. */
        void answer(RequestHeader header, Refusal refusal);

        /** The peer broke the protocol; nothing more is decoded. */
        void breach(String what);
    }

    private enum State {
        /** Waits for the header of a request. */
        HEADER,
        /** Has a good header and waits for the room it needs. */
        ADMISSION,
        /** Has the header of a BLOCK_STATUS and waits for its list of contexts. */
        FILTER,
        /** Assembles the payload of a WRITE. */
        PAYLOAD,
        /** Reads past the payload of a request that is not for the device. */
        SKIP,
        /** Drops all that comes. */
        ENDED
    }

    private final Taker taker;
    private final long maxSkipBytes;
    private final ReceiveBuffers receiveBuffers;
    private final ByteBufAllocator allocator;
    private final NbdCounters counters;
    private final RequestHeader header;
    private final InboundBytes inbound;

    private State state = State.HEADER;
    private @Nullable NbdRequest assembling;
    private @Nullable ByteBuf payload;
    private long skipBytes;
    private Refusal skipAnswer = Refusal.NONE;
    private long assembled;

    RequestDecoder(
            Taker taker,
            long maxSkipBytes,
            boolean isExtended,
            ReceiveBuffers receiveBuffers,
            ByteBufAllocator allocator,
            NbdCounters counters) {
        this.taker = taker;
        header = new RequestHeader(isExtended);
        inbound = new InboundBytes(Unpooled.buffer(header.bytes(), header.bytes()));
        this.maxSkipBytes = maxSkipBytes;
        this.receiveBuffers = receiveBuffers;
        this.allocator = allocator;
        this.counters = counters;
    }

    /** Takes over what came from the socket. */
    void add(ByteBuf received) {
        if (receiveBuffers.isLent(received)) {
            ByteBuf target = Objects.requireNonNull(payload);
            target.writerIndex(target.writerIndex() + received.readableBytes());
            received.release();
        } else {
            inbound.add(received);
        }
    }

    /** Decodes what is held as far as credit goes; the number of steps made. */
    int decode() {
        int steps = 0;
        while (step()) {
            steps++;
        }
        return steps;
    }

    /** True if all that came is used up, but for a request that is not yet whole. */
    boolean isDry() {
        return inbound.isEmpty();
    }

    /** True if a WRITE has come in part and could still be finished. */
    boolean isAssembling() {
        return state == State.PAYLOAD;
    }

    /** Grows with every WRITE whose data did not come whole, so that two can be told apart. */
    long assembled() {
        return assembled;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Memory held, by the decoder and by the WRITEs it has made. */
    long heldBytes() {
        return inbound.heldBytes();
    }

    /** A WRITE is over and its data no longer needed. */
    void letGo(ByteBuf data) {
        inbound.letGo(data);
    }

    /** From here on everything is dropped. */
    void end() {
        state = State.ENDED;
        receiveBuffers.stopFilling();
        inbound.dropAll();
        if (payload != null) {
            inbound.letGo(payload);
            payload = null;
            assembling = null;
        }
    }

    private boolean step() {
        return switch (state) {
            case HEADER -> taker.hasCredit() && inbound.readHeader(header) && examine();
            case FILTER -> inbound.readFilter(header) && judge(header.command());
            case ADMISSION -> admit();
            case PAYLOAD -> assemble();
            case SKIP -> skip();
            case ENDED -> {
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
            end();
            return false;
        }
        return judge(command);
    }

    private boolean judge(@Nullable NbdCommand command) {
        Refusal refusal = taker.refusal(header);
        boolean isStatus = command == NbdCommand.BLOCK_STATUS;
        if (refusal == Refusal.NONE && isStatus && header.payloadBytes() != 0) {
            state = State.FILTER;
            return true;
        }
        boolean asksNothing = header.lengthBytes() == 0 && command != NbdCommand.FLUSH;
        if (refusal == Refusal.NONE && !asksNothing) {
            state = State.ADMISSION;
            return true;
        }
        if (Long.compareUnsigned(header.payloadBytes(), maxSkipBytes) > 0) {
            return breach(header.text() + ", a payload that is too long to read past");
        }
        skipBytes = header.payloadBytes();
        skipAnswer = refusal;
        state = State.SKIP;
        return true;
    }

    private boolean breach(String what) {
        end();
        taker.breach(what);
        return false;
    }

    private boolean skip() {
        skipBytes -= inbound.skip(skipBytes);
        if (skipBytes > 0) {
            return false;
        }
        taker.answer(header, skipAnswer);
        state = State.HEADER;
        return true;
    }

    private boolean admit() {
        NbdCommand command = Objects.requireNonNull(header.command());
        boolean isWrite = command == NbdCommand.WRITE;
        int dataBytes = isWrite ? (int) header.lengthBytes() : 0;
        boolean isWhole = isWrite && inbound.isWhole(dataBytes);
        int roomBytes =
                isWrite && !isWhole
                        ? dataBytes
                        : NbdRequest.replyBytes(command, header.lengthBytes());
        if (!taker.hasRoomFor(command, roomBytes)) {
            return false;
        }
        NbdRequest request = taker.newRequest(command, header);
        if (isWrite && !isWhole) {
            startAssembling(request, dataBytes);
            return true;
        }
        if (isWhole) {
            inbound.lend(request, dataBytes);
        }
        state = State.HEADER;
        taker.take(request);
        return true;
    }

    private void startAssembling(NbdRequest request, int dataBytes) {
        ByteBuf target = allocator.directBuffer(dataBytes, dataBytes);
        inbound.adopt(target);
        payload = target;
        assembling = request;
        assembled++;
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
        taker.take(request);
        return true;
    }
}
