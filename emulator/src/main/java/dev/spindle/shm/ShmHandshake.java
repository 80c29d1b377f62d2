package dev.spindle.shm;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process attaches to a device: it names it, and is told where its file lies. Begins on the
 * attaching loop, where the file is made, and ends on the device's.
 *
 * <pre>
 *   hello    magic 8 'SPNDLSH1' | version 4 | length of the name 4 | name
 *   reply    magic 8 | status 4 | flags 4 | capacity 8 | length of the channel's path 4 | of the pool's 4 | both paths
 * </pre>
 *
 * <p>Numbers are little endian. The status is 0 or an errno; then there are no paths but the
 * reason, as the first. The flags are those of an NBD export.
 */
final class ShmHandshake extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(ShmHandshake.class);

    /** "SPNDLSH1" as a little-endian number. */
    static final long MAGIC = 0x3148_534c_444e_5053L;

    static final int VERSION = 1;
    private static final int HELLO_BYTES = 16;
    private static final int MAX_NAME_BYTES = 64;
    private static final int DEADLINE_SECONDS = 10;
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EAGAIN = 11;
    private static final int ENOMEM = 12;
    private static final int EPROTO = 71;
    private static final int FLAGS = 0b110_1101; // HAS_FLAGS FLUSH FUA TRIM WRITE_ZEROES
    private static final int READ_ONLY_FLAG = 0b10;

    private final ShmScope scope;
    private final long ownUid;
    private @Nullable Future<?> deadline;
    private boolean isEnded;

    ShmHandshake(ShmScope scope, long ownUid) {
        this.scope = scope;
        this.ownUid = ownUid;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        deadline = ctx.executor().schedule(() -> hangUp(ctx), DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
            throws IOException {
        if (isEnded || in.readableBytes() < HELLO_BYTES) {
            return;
        }
        int nameBytes = in.getIntLE(in.readerIndex() + 12);
        if (in.getLongLE(in.readerIndex()) != MAGIC
                || in.getIntLE(in.readerIndex() + 8) != VERSION
                || nameBytes < 1
                || nameBytes > MAX_NAME_BYTES) {
            in.skipBytes(in.readableBytes());
            refuse(ctx, EPROTO, "this daemon speaks version " + VERSION);
            return;
        }
        if (in.readableBytes() < HELLO_BYTES + nameBytes) {
            return;
        }
        in.skipBytes(HELLO_BYTES);
        String name = in.readCharSequence(nameBytes, StandardCharsets.UTF_8).toString();
        attach(ctx, name);
    }

    private void attach(ChannelHandlerContext ctx, String name) throws IOException {
        PeerCredentials peer = ((EpollDomainSocketChannel) ctx.channel()).peerCredentials();
        ShmDevice device = scope.devices().get(name);
        if (peer.uid() != ownUid) {
            refuse(ctx, EPERM, "the daemon is user " + ownUid + "'s");
        } else if (device == null) {
            refuse(ctx, ENOENT, "no device " + name);
        } else if (scope.attached().count() >= scope.limits().clients()) {
            refuse(ctx, EAGAIN, scope.limits().clients() + " processes are attached");
        } else {
            makeFile(ctx, device, peer.pid());
        }
    }

    private void makeFile(ChannelHandlerContext ctx, ShmDevice device, long pid) {
        ChannelFile file;
        try {
            file = scope.newFile(device.device().name());
        } catch (IOException e) {
            LOG.warn("no shared memory for process {}: {}", pid, e.getMessage());
            refuse(ctx, ENOMEM, String.valueOf(e.getMessage()));
            return;
        }
        isEnded = true;
        cancelDeadline();
        ctx.channel().config().setAutoRead(false);
        var _ = ctx.deregister().addListener(_ -> arrive(ctx, device, file, pid));
    }

    private void arrive(ChannelHandlerContext ctx, ShmDevice device, ChannelFile file, long pid) {
        var _ =
                device.loop()
                        .register(ctx.channel())
                        .addListener(arrived -> {
                            if (arrived.isSuccess()) {
                                begin(ctx, device, file, pid);
                            } else {
                                var _ = ctx.channel().close();
                                letGo(file);
                            }
                        });
    }

    /** On the device's loop, from here on. */
    private void begin(ChannelHandlerContext ctx, ShmDevice device, ChannelFile file, long pid) {
        ShmSocket[] socket = new ShmSocket[1];
        ShmSession session =
                ShmSession.open(
                        device,
                        file,
                        ctx.channel(),
                        pid,
                        () -> {
                            scope.attached().remove(socket[0]);
                            scope.giveBack(file);
                        });
        if (session == null) {
            letGo(file);
            refuse(ctx, EAGAIN, "the pool has no number left");
            return;
        }
        socket[0] = new ShmSocket(scope, session, ctx);
        scope.attached().add(socket[0]);
        if (!ctx.channel().isActive()) {
            session.end(); // it has died on the way, and its pipeline may be gone already
            return;
        }
        ctx.pipeline().addAfter(ctx.name(), "socket", socket[0]);
        ByteBuf reply = reply(ctx, device, file);
        ctx.pipeline().remove(this);
        var _ = ctx.channel().writeAndFlush(reply);
        ctx.channel().config().setAutoRead(true);
    }

    private static ByteBuf reply(ChannelHandlerContext ctx, ShmDevice device, ChannelFile file) {
        byte[] channelPath = file.path().toString().getBytes(StandardCharsets.UTF_8);
        byte[] poolPath = device.pool().file().path().toString().getBytes(StandardCharsets.UTF_8);
        boolean isReadOnly = device.device().isReadOnly();
        return ctx.alloc()
                .buffer()
                .writeLongLE(MAGIC)
                .writeIntLE(0)
                .writeIntLE(isReadOnly ? FLAGS | READ_ONLY_FLAG : FLAGS)
                .writeLongLE(device.device().capacityBytes())
                .writeIntLE(channelPath.length)
                .writeIntLE(poolPath.length)
                .writeBytes(channelPath)
                .writeBytes(poolPath);
    }

    private void refuse(ChannelHandlerContext ctx, int errno, String why) {
        isEnded = true;
        cancelDeadline();
        scope.counters().refused.increment();
        LOG.info("refusing {}: {}", ctx.channel(), why);
        byte[] reason = why.getBytes(StandardCharsets.UTF_8);
        ByteBuf reply =
                ctx.alloc()
                        .buffer()
                        .writeLongLE(MAGIC)
                        .writeIntLE(errno)
                        .writeIntLE(0)
                        .writeLongLE(0)
                        .writeIntLE(reason.length)
                        .writeIntLE(0)
                        .writeBytes(reason);
        var _ = ctx.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
    }

    private void letGo(ChannelFile file) {
        try {
            scope.giveBack(file);
            file.close();
        } catch (IOException e) {
            LOG.warn("cannot close {}", file.path(), e);
        }
    }

    private static void hangUp(ChannelHandlerContext ctx) {
        var _ = ctx.close();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.info("closing {}: {}", ctx.channel(), cause.toString());
        var _ = ctx.close();
    }
}
