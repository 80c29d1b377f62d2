package dev.spindle.nbd;

import dev.spindle.block.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The replies of one turn, on their way to the socket in one flush. Headers and short data are
 * copied one behind the other into a slab, long data is sent from where it lies; so a turn's worth
 * of short replies is one buffer, not two for each. Owned by its session.
 */
final class ReplyBatch {
    /** Copying this much costs less than one more buffer for the socket to gather. */
    static final int COPY_BYTES = 16 << 10;

    private static final int SLAB_BYTES = 192 << 10;

    /** The first slab, of a size that the allocator keeps at hand for each thread. */
    private static final int SMALL_SLAB_BYTES = 32 << 10;

    private final ChannelHandlerContext ctx;
    private final @Nullable StoreBuffers store;
    private @Nullable ByteBuf slab;
    private int slabBytes = SMALL_SLAB_BYTES;
    private int sentIndex;
    private boolean hasUnflushed;

    ReplyBatch(ChannelHandlerContext ctx, @Nullable DirectMemory memory) {
        this.ctx = ctx;
        store = memory == null ? null : new StoreBuffers(memory);
    }

    /** The slab, with room for {@code bytes} more at its end. */
    ByteBuf room(int bytes) {
        ByteBuf current = slab;
        if (current == null || current.writableBytes() < bytes) {
            boolean wasTooSmall = current != null || bytes > slabBytes;
            slabBytes = wasTooSmall ? SLAB_BYTES : slabBytes;
            retireSlab();
            current = ctx.alloc().directBuffer(slabBytes, slabBytes);
            slab = current;
        }
        return current;
    }

    /**
     * A part of a READ's data, from {@code at} on, out of the buffer it was read into or else of
     * the device's memory.
     */
    void data(NbdRequest read, int at, int lengthBytes) {
        ByteBuf buffer = read.buffer();
        if (buffer != null) {
            piece(buffer, at, lengthBytes);
        } else {
            memory(read).append(read.offsetBytes() + at, lengthBytes, this);
        }
    }

    /** How many bytes of a READ from {@code at} on read as zeroes and need not be sent. */
    int holeBytes(NbdRequest read, int at, int lengthBytes) {
        ByteBuffer data = read.block().data();
        return data == null
                ? memory(read).holeBytes(read.offsetBytes() + at, lengthBytes)
                : ZeroRuns.zeroBytes(data, at, read.offsetBytes() + at, lengthBytes);
    }

    /** How many bytes of a READ from {@code at} on come before the next hole. */
    int dataBytes(NbdRequest read, int at, int lengthBytes) {
        ByteBuffer data = read.block().data();
        return data == null
                ? memory(read).dataBytes(read.offsetBytes() + at, lengthBytes)
                : ZeroRuns.dataBytes(data, at, read.offsetBytes() + at, lengthBytes);
    }

    private StoreBuffers memory(NbdRequest read) {
        if (store == null) {
            throw new IllegalStateException("no data for " + read);
        }
        return store;
    }

    /** A piece of memory: of a region that outlives the session, or of a buffer. */
    void piece(ByteBuf region, int index, int lengthBytes) {
        if (lengthBytes <= COPY_BYTES) {
            room(lengthBytes).writeBytes(region, index, lengthBytes);
        } else {
            cut();
            write(region.retainedSlice(index, lengthBytes));
        }
    }

    void flush() {
        cut();
        if (hasUnflushed) {
            hasUnflushed = false;
            ctx.flush();
        }
        ByteBuf current = slab;
        if (current != null && current.refCnt() == 1) {
            slabBytes = current.writerIndex() > SMALL_SLAB_BYTES ? SLAB_BYTES : slabBytes;
            current.clear();
            sentIndex = 0;
        }
    }

    /**
     * Gives the slab back where all of it is sent: a connection that is idle should cost little.
     */
    void shrink() {
        ByteBuf current = slab;
        if (current != null && current.refCnt() == 1 && !current.isReadable()) {
            current.release();
            slab = null;
        }
    }

    /** Forgets what was not written yet and lets go of everything. */
    void release() {
        if (slab != null) {
            slab.release();
            slab = null;
        }
        sentIndex = 0;
        if (store != null) {
            store.release();
        }
    }

    private void cut() {
        ByteBuf current = slab;
        if (current != null && current.writerIndex() > sentIndex) {
            int bytes = current.writerIndex() - sentIndex;
            ByteBuf unsent = current.retainedSlice(sentIndex, bytes);
            sentIndex += bytes;
            write(unsent);
        }
    }

    private void retireSlab() {
        cut();
        if (slab != null) {
            slab.release();
            slab = null;
        }
        sentIndex = 0;
    }

    private void write(ByteBuf bytes) {
        hasUnflushed = true;
        var _ = ctx.write(bytes, ctx.voidPromise());
    }
}
