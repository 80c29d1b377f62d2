package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the next read of one socket goes into, and whether one follows at once: while a
 * payload is being assembled it goes straight into its own buffer, else into one of a size that
 * adapts. Owned by the loop that owns the channel.
 */
final class ReceiveBuffers implements RecvByteBufAllocator {
    /** One read of a whole window of 4 KiB writes at depth 32, and a little more. */
    private static final int MAX_BYTES = 256 << 10;

    private final AdaptiveRecvByteBufAllocator adaptive =
            new AdaptiveRecvByteBufAllocator(512, 4096, MAX_BYTES);
    private final FollowUpReads followUps = new FollowUpReads();
    private @Nullable ByteBuf payload;
    private boolean isEmptied;
    private @Nullable ByteBuf lent;

    /** Reads go here, as far as it is still writable, until it is full or {@link #stopFilling}. */
    void fill(ByteBuf assembling) {
        payload = assembling;
    }

    void stopFilling() {
        payload = null;
    }

    /**
     * True if what was received already lies in the payload, whose writer index is still to move.
     */
    @SuppressWarnings("ReferenceEquality") // this very buffer, not one with the same bytes
    boolean isLent(ByteBuf received) {
        return received == lent;
    }

    /**
     * True if the last read left nothing in the socket; false where no socket reads by these, as
     * where TLS stands between.
     */
    boolean isEmptied() {
        return isEmptied;
    }

    @Override
    @SuppressWarnings("deprecation") // the only handle there is to make
    public Handle newHandle() {
        return new PayloadFirst((ExtendedHandle) adaptive.newHandle());
    }

    private final class PayloadFirst implements ExtendedHandle {
        private final ExtendedHandle inner;
        private @Nullable ChannelConfig config;

        PayloadFirst(ExtendedHandle inner) {
            this.inner = inner;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf into = payload;
            if (into == null || !into.isWritable()) {
                lent = null;
                return inner.allocate(allocator);
            }
            ByteBuf rest = into.retainedSlice(into.writerIndex(), into.writableBytes());
            lent = rest.writerIndex(0);
            return rest;
        }

        @Override
        public int guess() {
            return inner.guess();
        }

        @Override
        public void reset(ChannelConfig config) {
            inner.reset(config);
            this.config = config;
            followUps.begin();
        }

        @Override
        public void incMessagesRead(int messages) {
            inner.incMessagesRead(messages);
        }

        @Override
        public void lastBytesRead(int bytes) {
            inner.lastBytesRead(bytes);
            isEmptied = bytes < inner.attemptedBytesRead();
            followUps.hasRead(bytes > 0);
        }

        @Override
        public int lastBytesRead() {
            return inner.lastBytesRead();
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            inner.attemptedBytesRead(bytes);
        }

        @Override
        public int attemptedBytesRead() {
            return inner.attemptedBytesRead();
        }

        @Override
        public boolean continueReading() {
            return inner.continueReading();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return inner.continueReading(maybeMoreData) || mayTryAgain();
        }

        private boolean mayTryAgain() {
            return config != null && config.isAutoRead() && followUps.isWorthATry();
        }

        @Override
        public void readComplete() {
            inner.readComplete();
        }
    }
}
