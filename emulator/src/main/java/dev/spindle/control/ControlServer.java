package dev.spindle.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the control socket. Runs on a loop of its own, because reading JSON takes longer than
 * a request may wait.
 */
public final class ControlServer implements AutoCloseable {
    /** Room for the data of a command to a drive, in base64. */
    static final int MAX_LINE_BYTES = 512 << 10;

    static final int MAX_CONNECTIONS = 64;
    private static final int IDLE_SECONDS = 60;
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    private final Channel listener;
    private final ChannelGroup open;

    private ControlServer(Channel listener, ChannelGroup open) {
        this.listener = listener;
        this.open = open;
    }

    public static ControlServer listen(Path socket, ControlDesk desk, EventLoopGroup loop)
            throws IOException {
        ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop)
                        .channel(EpollServerDomainSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel, open, desk);
                                    }
                                })
                        .bind(new DomainSocketAddress(socket.toFile()))
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + socket + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        return new ControlServer(bound.channel(), open);
    }

    private static void accept(Channel channel, ChannelGroup open, ControlDesk desk) {
        if (open.size() >= MAX_CONNECTIONS) {
            LOG.info("control: a connection refused, {} are open", open.size());
            var _ = channel.close();
            return;
        }
        open.add(channel);
        channel.pipeline()
                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                .addLast(new LineBasedFrameDecoder(MAX_LINE_BYTES, true, true))
                .addLast(new ControlSession(desk));
    }

    /** Stops listening and cuts off whoever is there. */
    @Override
    public void close() {
        var _ = listener.close().awaitUninterruptibly();
        var _ = open.close().awaitUninterruptibly();
    }
}
