package dev.spindle.nbd;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

    /** A client whose machine has died is found out within seven minutes (tcp(7)). */
    private static final int KEEPALIVE_IDLE_S = 300;

    private static final int KEEPALIVE_INTERVAL_S = 30;
    private static final int KEEPALIVE_PROBES = 4;

    private final ServerScope scope;
    private final @Nullable ServerTls tls;
    private final EventLoopGroup acceptors;
    private final ByteBufAllocator allocator;
    private final List<Channel> listeners = new ArrayList<>();
    private final List<UnixSocketFile> socketFiles = new ArrayList<>();

    /** {@code tls} may be missing where every socket's mode is OFF. */
    public NbdServer(
            Exports exports,
            NbdLimits limits,
            EventLoopGroup acceptors,
            NbdCounters counters,
            Optional<ServerTls> tls) {
        this(exports, limits, acceptors, counters, tls, PooledByteBufAllocator.DEFAULT);
    }

    NbdServer(
            Exports exports,
            NbdLimits limits,
            EventLoopGroup acceptors,
            NbdCounters counters,
            ByteBufAllocator allocator) {
        this(exports, limits, acceptors, counters, Optional.empty(), allocator);
    }

    NbdServer(
            Exports exports,
            NbdLimits limits,
            EventLoopGroup acceptors,
            NbdCounters counters,
            Optional<ServerTls> tls,
            ByteBufAllocator allocator) {
        this.allocator = allocator;
        this.tls = tls.orElse(null);
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
    public SocketAddress listenTcp(InetSocketAddress address, TlsMode mode) throws IOException {
        ServerBootstrap bootstrap =
                forTcp(mode, EpollServerSocketChannel::new)
                        .option(ChannelOption.SO_REUSEADDR, true);
        String name = address.getHostString() + ':' + address.getPort();
        return bind(bootstrap, address, name).localAddress();
    }

    /**
     * Takes the place of a socket nobody listens on any more; refuses to touch anything else. The
     * socket is removed again on close.
     */
    public void listenUnix(Path path, SocketAccess access, TlsMode mode) throws IOException {
        UnixSocketFile.clear(path);
        ServerBootstrap bootstrap =
                bootstrap(mode, EpollServerDomainSocketChannel::new).handler(new ClosedToAll());
        bind(bootstrap, new DomainSocketAddress(path.toFile()), path.toString());
        socketFiles.add(UnixSocketFile.claim(path, access));
    }

    /** Accepts on a socket that listens already; returns its address, if it is one of TCP. */
    public Optional<InetSocketAddress> listenOn(HandedSocket socket, TlsMode mode)
            throws IOException {
        ServerBootstrap bootstrap =
                socket.isUnix()
                        ? bootstrap(
                                mode, () -> new EpollServerDomainSocketChannel(socket.fd(), true))
                        : forTcp(mode, () -> new EpollServerSocketChannel(socket.fd()));
        SocketAddress address = started(bootstrap.register(), socket.name()).localAddress();
        return address instanceof InetSocketAddress tcp ? Optional.of(tcp) : Optional.empty();
    }

    /**
     * Serves one client that is there already. Its end of input is no reason to forget the replies:
     * they are sent, then the connection is closed, and with it the future is done.
     */
    public CompletableFuture<Void> serve(HandedSocket connection, TlsMode mode) {
        Channel channel =
                connection.isUnix()
                        ? new EpollDomainSocketChannel(connection.fd())
                        : new EpollSocketChannel(connection.fd());
        channel.config().setOption(ChannelOption.ALLOCATOR, allocator);
        channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark());
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        channel.pipeline().addLast(new Accept(mode));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        var _ = channel.closeFuture().addListener(end -> closed.complete(null));
        var _ = acceptors.register(channel).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return closed;
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

    private ServerBootstrap forTcp(TlsMode mode, ChannelFactory<ServerChannel> transport) {
        return bootstrap(mode, transport)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_S)
                .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S)
                .childOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES);
    }

    private ServerBootstrap bootstrap(TlsMode mode, ChannelFactory<ServerChannel> transport) {
        return new ServerBootstrap()
                .group(acceptors)
                .channelFactory(transport)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.AUTO_CLOSE, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .childHandler(new Accept(mode));
    }

    private WriteBufferWaterMark waterMark() {
        NbdLimits limits = scope.limits();
        return new WriteBufferWaterMark(limits.writeLowWaterBytes(), limits.writeHighWaterBytes());
    }

    /** Gives each connection its handshake. */
    private final class Accept extends ChannelInitializer<Channel> {
        private final TlsMode mode;

        Accept(TlsMode mode) {
            this.mode = mode;
        }

        @Override
        protected void initChannel(Channel channel) {
            accept(channel, mode);
        }
    }

    /**
     * A unix socket's file is made by bind with the mode of the socket itself: none, until it has
     * got its owner.
     */
    private static final class ClosedToAll extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) throws IOException {
            SocketCalls.changeMode(((EpollServerDomainSocketChannel) channel).fd().intValue(), 0);
        }
    }

    private void accept(Channel channel, TlsMode mode) {
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
        channel.pipeline()
                .addLast(
                        "handshake", new Handshake(scope, receiveBuffers, new StartTls(mode, tls)));
    }

    private Channel bind(ServerBootstrap bootstrap, SocketAddress address, String name)
            throws IOException {
        return started(bootstrap.bind(address), name);
    }

    private Channel started(ChannelFuture start, String name) throws IOException {
        ChannelFuture started = start.awaitUninterruptibly();
        if (!started.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + name + ": " + reason(started.cause()), started.cause());
        }
        listeners.add(started.channel());
        LOG.info("listening on {}", name);
        return started.channel();
    }

    /** The system's own words, without the name of its call and its number. */
    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.substring(message.lastIndexOf(": ") + 1).strip().toLowerCase(Locale.ROOT);
    }
}
