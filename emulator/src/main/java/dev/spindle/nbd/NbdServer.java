package dev.spindle.nbd;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves exports to NBD clients on any number of TCP and unix sockets.
 *
 * <p>Connections are accepted on {@code acceptors}, which must be epoll loops, as must be those of
 * the exports. Listening, draining and closing are for the control thread; they wait, so never call
 * them from a loop.
 */
public final class NbdServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NbdServer.class);
    private static final int BACKLOG = 1024;

    private final ServerScope scope;
    private final EventLoopGroup acceptors;
    private final ByteBufAllocator allocator;
    private final List<Channel> listeners = new ArrayList<>();
    private final List<UnixSocketFile> socketFiles = new ArrayList<>();

    public NbdServer(
            Exports exports, NbdLimits limits, EventLoopGroup acceptors, NbdCounters counters) {
        this(exports, limits, acceptors, counters, PooledByteBufAllocator.DEFAULT);
    }

    NbdServer(
            Exports exports,
            NbdLimits limits,
            EventLoopGroup acceptors,
            NbdCounters counters,
            ByteBufAllocator allocator) {
        this.allocator = allocator;
        scope =
                new ServerScope(
                        exports,
                        limits,
                        counters,
                        new Connections(),
                        new SharedMemory(limits.memoryBytes()));
        this.acceptors = acceptors;
    }

    /** Returns the address it listens on, with the port the system chose if 0 was asked for. */
    public SocketAddress listenTcp(InetSocketAddress address) throws IOException {
        ServerBootstrap bootstrap =
                bootstrap(EpollServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true);
        String name = address.getHostString() + ':' + address.getPort();
        return bind(bootstrap, address, name).localAddress();
    }

    /**
     * Takes the place of a socket nobody listens on any more; refuses to touch anything else. The
     * socket is removed again on close.
     */
    public void listenUnix(Path path, Set<PosixFilePermission> permissions) throws IOException {
        UnixSocketFile.clear(path);
        ServerBootstrap bootstrap = bootstrap(EpollServerDomainSocketChannel.class);
        bind(bootstrap, new DomainSocketAddress(path.toFile()), path.toString());
        socketFiles.add(UnixSocketFile.claim(path, permissions));
    }

    /** Connections from accept until their last request has ended. */
    public int connections() {
        return scope.connections().count();
    }

    /**
     * Stops accepting, lets every session finish what is outstanding, answers further requests with
     * ESHUTDOWN and closes. Whoever is still there at the deadline is cut off, and what a device
     * has not finished by then is not waited for.
     */
    public CompletableFuture<Void> drain(Duration deadline) {
        stopListening();
        CompletableFuture<Void> drained = scope.connections().drain();
        var cut =
                acceptors.schedule(
                        scope.connections()::cutOff, deadline.toMillis(), TimeUnit.MILLISECONDS);
        return drained.whenComplete((nothing, failure) -> cut.cancel(false));
    }

    /** Stops accepting and cuts off all connections; requests in flight still end on the device. */
    @Override
    public void close() {
        stopListening();
        scope.connections().closeAll();
    }

    private void stopListening() {
        for (Channel listener : listeners.reversed()) {
            var _ = listener.close().awaitUninterruptibly();
        }
        listeners.clear();
        for (UnixSocketFile file : socketFiles.reversed()) {
            file.remove();
        }
        socketFiles.clear();
    }

    private ServerBootstrap bootstrap(Class<? extends ServerChannel> transport) {
        NbdLimits limits = scope.limits();
        var waterMark =
                new WriteBufferWaterMark(limits.writeLowWaterBytes(), limits.writeHighWaterBytes());
        return new ServerBootstrap()
                .group(acceptors)
                .channel(transport)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.AUTO_CLOSE, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark)
                .childHandler(
                        new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accept(channel);
                            }
                        });
    }

    private void accept(Channel channel) {
        if (scope.connections().count() >= scope.limits().maxConnections()
                || scope.connections().isDraining()) {
            scope.counters().connectionsRefused.increment();
            LOG.info("refusing {}: {} connections are open", channel, connections());
            var _ = channel.close();
            return;
        }
        scope.counters().connectionsOpened.increment();
        scope.connections().add(channel);
        ReceiveBuffers receiveBuffers = new ReceiveBuffers();
        channel.config().setRecvByteBufAllocator(receiveBuffers);
        channel.pipeline().addLast("handshake", new Handshake(scope, receiveBuffers));
    }

    private Channel bind(ServerBootstrap bootstrap, SocketAddress address, String name)
            throws IOException {
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + name + ": " + reason(bound.cause()), bound.cause());
        }
        listeners.add(bound.channel());
        LOG.info("listening on {}", bound.channel().localAddress());
        return bound.channel();
    }

    /** The system's own words, without the name of its call and its number. */
    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.substring(message.lastIndexOf(": ") + 1).strip().toLowerCase(Locale.ROOT);
    }
}
