package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a session has received and not yet used, in order. Nothing is merged: a header that lies
 * across buffers is put together in a scratch of its own, a payload in the buffer it is to end in.
 * Counts the memory it and the requests that borrow from it keep alive. Owned by its session.
 */
final class InboundBytes {
    private final ArrayDeque<ByteBuf> received = new ArrayDeque<>();
    private final ByteBuf scratch;
    private @Nullable ByteBuffer headView;
    private long heldBytes;

    /** {@code scratch} holds one header and is the caller's to release. */
    InboundBytes(ByteBuf scratch) {
        this.scratch = scratch;
    }

    void add(ByteBuf buffer) {
        if (buffer.isReadable()) {
            adopt(buffer);
            received.addLast(buffer);
        } else {
            buffer.release();
        }
    }

    /** Counts a buffer that {@link #letGo} will be called for. */
    void adopt(ByteBuf buffer) {
        heldBytes += buffer.capacity();
    }

    /** Ends one use of a counted buffer; the last one ends the count. */
    void letGo(ByteBuf buffer) {
        int capacityBytes = buffer.capacity();
        if (buffer.release()) {
            heldBytes -= capacityBytes;
        }
    }

    boolean isEmpty() {
        return received.isEmpty();
    }

    /** Memory kept alive, to the end of each buffer. */
    long heldBytes() {
        return heldBytes;
    }

    /** True once {@code header} has been read, which uses up its bytes. */
    boolean readHeader(RequestHeader header) {
        ByteBuf head = received.peekFirst();
        if (head != null && !scratch.isReadable() && head.readableBytes() >= header.bytes()) {
            header.read(head, head.readerIndex());
            used(head, header.bytes());
            return true;
        }
        if (!gather(header.bytes())) {
            return false;
        }
        header.read(scratch, 0);
        scratch.clear();
        return true;
    }

    /** True once the payload of a BLOCK_STATUS has been read, which uses up its bytes. */
    boolean readFilter(RequestHeader header) {
        if (!gather(RequestHeader.FILTER_BYTES)) {
            return false;
        }
        header.readFilter(scratch, 0);
        scratch.clear();
        return true;
    }

    /** True once so many bytes are together in the scratch. */
    private boolean gather(int bytes) {
        ByteBuf head = received.peekFirst();
        while (head != null && scratch.readableBytes() < bytes) {
            int part = Math.min(head.readableBytes(), bytes - scratch.readableBytes());
            scratch.writeBytes(head, head.readerIndex(), part);
            used(head, part);
            head = received.peekFirst();
        }
        return scratch.readableBytes() == bytes;
    }

    /** True if the next {@code bytes} lie together and can be lent as they are. */
    boolean isWhole(int bytes) {
        ByteBuf head = received.peekFirst();
        return head != null && head.readableBytes() >= bytes;
    }

    /** Lends the next bytes, which must be whole, to the request; it gives them back by letGo. */
    void lend(NbdRequest request, int bytes) {
        ByteBuf head = received.getFirst();
        if (headView == null) {
            headView = head.nioBuffer(0, head.capacity());
        }
        request.hold(head.retain(), headView, head.readerIndex());
        used(head, bytes);
    }

    /** Moves as much as there is and as fits. */
    void copyTo(ByteBuf target) {
        ByteBuf head = received.peekFirst();
        while (head != null && target.isWritable()) {
            int bytes = Math.min(head.readableBytes(), target.writableBytes());
            target.writeBytes(head, head.readerIndex(), bytes);
            used(head, bytes);
            head = received.peekFirst();
        }
    }

    /** Drops up to {@code bytes} and says how many. */
    long skip(long bytes) {
        long leftBytes = bytes;
        ByteBuf head = received.peekFirst();
        while (head != null && leftBytes > 0) {
            int skipped = (int) Math.min(head.readableBytes(), leftBytes);
            used(head, skipped);
            leftBytes -= skipped;
            head = received.peekFirst();
        }
        return bytes - leftBytes;
    }

    void dropAll() {
        skip(Long.MAX_VALUE);
        scratch.clear();
    }

    private void used(ByteBuf head, int bytes) {
        head.skipBytes(bytes);
        if (!head.isReadable()) {
            received.removeFirst();
            headView = null;
            letGo(head);
        }
    }
}
