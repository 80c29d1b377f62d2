package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;

/** Stands for the socket: counts what is sent and lets it go. */
final class Drain extends ChannelOutboundHandlerAdapter {
    private long bytes;

    /** A channel whose first handler is this one. */
    EmbeddedChannel channel() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(this);
        return channel;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ByteBuf sent = (ByteBuf) message;
        bytes += sent.readableBytes();
        sent.release();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {}
}
