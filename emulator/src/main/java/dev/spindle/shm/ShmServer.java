package dev.spindle.shm;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Lets processes under the shim attach to devices: listens on a unix socket, in a folder nobody
 * else can enter. Opened, drained and closed by the control thread.
 */
public final class ShmServer implements AutoCloseable {
    private final ShmScope scope;
    private final Channel listener;

    private ShmServer(ShmScope scope, Channel listener) {
        this.scope = scope;
        this.listener = listener;
    }

    /**
     * Listens until it is drained or closed.
     *
     * @param folder where the files are made; on tmpfs, of this user alone
     * @param attaching one loop, not one that owns a device
     */
    public static ShmServer listen(
            Path socket,
            Path folder,
            List<ShmDevice> devices,
            ShmLimits limits,
            EventLoopGroup attaching,
            ShmCounters counters)
            throws IOException {
        Map<String, ShmDevice> byName = new HashMap<>();
        devices.forEach(each -> byName.put(each.device().name(), each));
        ShmScope scope = ShmScope.of(folder, byName, limits, attaching.next(), counters);
        long ownUid =
                Integer.toUnsignedLong(
                        (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS));
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(attaching)
                        .channel(EpollServerDomainSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline().addLast(new ShmHandshake(scope, ownUid));
                                    }
                                })
                        .bind(new DomainSocketAddress(socket.toFile()))
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + socket + ": " + bound.cause().getMessage(),
                    bound.cause());
        }
        return new ShmServer(scope, bound.channel());
    }

    /** Processes times devices attached now. */
    public int attached() {
        return scope.attached().count();
    }

    /** What all arenas have taken. */
    public long arenaBytes() {
        return scope.usedBytes().get();
    }

    /**
     * Nobody attaches any more; whoever is attached gets what is under way done and EIO for the
     * rest. Complete when the last has left.
     */
    public CompletableFuture<Void> drain() {
        var _ = listener.close().awaitUninterruptibly();
        return scope.attached().drain();
    }

    @Override
    public void close() {
        var _ = listener.close().awaitUninterruptibly();
    }
}
