package dev.spindle.nbd;

import dev.spindle.block.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** A device's memory as Netty wants it: each region wrapped once and kept. Owned by its session. */
final class StoreBuffers {
    private static final int MAX_REGIONS = 4096;

    private final DirectMemory memory;
    private final IdentityHashMap<ByteBuffer, ByteBuf> wrapped = new IdentityHashMap<>();
    private @Nullable ByteBuffer lastRegion;
    private ByteBuf lastWrapped = Unpooled.EMPTY_BUFFER;

    StoreBuffers(DirectMemory memory) {
        this.memory = memory;
    }

    /** Appends the bytes from {@code offsetBytes} on to the batch, region by region. */
    void append(long offsetBytes, int lengthBytes, ReplyBatch batch) {
        long atBytes = offsetBytes;
        int leftBytes = lengthBytes;
        while (leftBytes > 0) {
            int pieceBytes = memory.contiguousBytes(atBytes, leftBytes);
            ByteBuf region = wrap(memory.regionAt(atBytes));
            batch.piece(region, memory.indexInRegion(atBytes), pieceBytes);
            atBytes += pieceBytes;
            leftBytes -= pieceBytes;
        }
    }

    int holeBytes(long offsetBytes, int lengthBytes) {
        return memory.holeBytes(offsetBytes, lengthBytes);
    }

    int dataBytes(long offsetBytes, int lengthBytes) {
        return memory.dataBytes(offsetBytes, lengthBytes);
    }

    void release() {
        wrapped.values().forEach(ByteBuf::release);
        wrapped.clear();
        lastRegion = null;
        lastWrapped = Unpooled.EMPTY_BUFFER;
    }

    @SuppressWarnings("ReferenceEquality") // regions are told apart by identity, never by content
    private ByteBuf wrap(ByteBuffer region) {
        if (region == lastRegion) {
            return lastWrapped;
        }
        ByteBuf known = wrapped.get(region);
        if (known == null) {
            if (wrapped.size() == MAX_REGIONS) {
                release();
            }
            known = Unpooled.wrappedBuffer(region.duplicate().clear());
            wrapped.put(region, known);
        }
        lastRegion = region;
        lastWrapped = known;
        return known;
    }
}
