package dev.spindle.nbd;

import dev.spindle.block.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
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
            slabBytes = current == null ? slabBytes : SLAB_BYTES;
            retireSlab();
            current = ctx.alloc().directBuffer(slabBytes, slabBytes);
            slab = current;
        }
        return current;
    }

    /** The data of a READ, from the buffer it was read into or else from the device's memory. */
    void data(NbdRequest read) {
        ByteBuf buffer = read.takeBuffer();
        if (buffer != null) {
            buffer(buffer, read.lengthBytes());
        } else if (store != null) {
            store.append(read.offsetBytes(), read.lengthBytes(), this);
        } else {
            throw new IllegalStateException("no data for " + read.block());
        }
    }

    private void buffer(ByteBuf buffer, int lengthBytes) {
        if (lengthBytes <= COPY_BYTES) {
            room(lengthBytes).writeBytes(buffer, 0, lengthBytes);
            buffer.release();
        } else {
            cut();
            write(buffer.setIndex(0, lengthBytes));
        }
    }

    /** A piece of memory that outlives the session. */
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
