package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class NbdServerTest {
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rw-------");
    private static final int SIZE = 4 << 20;

    @TempDir private Path folder;
    private final MemoryDevice device = new MemoryDevice(SIZE);
    private final NbdCounters counters = new NbdCounters();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MultiThreadIoEventLoopGroup acceptors =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final MultiThreadIoEventLoopGroup owners =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final EventLoop owner = owners.next();
    private NbdServer server = serve(NbdLimits.DEFAULTS);
    private SocketAddress tcp = new InetSocketAddress(0);
    private SocketAddress unix = new InetSocketAddress(0);

    private NbdServer serve(NbdLimits limits) {
        Exports exports = Exports.of(List.of(new Export("mem", "", device, owner)));
        return new NbdServer(exports, limits, acceptors, counters, allocator);
    }

    @BeforeEach
    void listen() throws IOException {
        tcp =
                server.listenTcp(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TlsMode.OFF);
        server.listenUnix(folder.resolve("nbd"), SocketAccess.of(OWNER), TlsMode.OFF);
        unix = UnixDomainSocketAddress.of(folder.resolve("nbd"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        onOwner(() -> {
            device.isHolding = false;
            device.release();
            return true;
        });
        var drained = server.drain(Duration.ofMillis(50));
        drained.get(10, TimeUnit.SECONDS);
        server.close();
        await(() -> server.connections() == 0);
        assertThat(counters.connectionsOpened()).isEqualTo(counters.connectionsClosed());
        for (var group : List.of(acceptors, owners)) {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
        }
        assertThat(allocator.metric().usedDirectMemory()).as("leaked direct bytes").isZero();
        assertThat(Files.exists(folder.resolve("nbd"))).isFalse();
    }

    private <T> T onOwner(Callable<T> question) throws Exception {
        return owner.submit(question).get(10, TimeUnit.SECONDS);
    }

    /** Asks the owning loop again and again, each time behind what it has to do. */
    private void await(Callable<Boolean> condition) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!onOwner(condition)) {
            assertThat(deadlineNs - System.nanoTime()).as("time left").isPositive();
        }
    }

    @Test
    void aClientIsServedOverEitherKindOfSocketFromAnotherLoop() throws Exception {
        for (SocketAddress address : List.of(tcp, unix)) {
            try (RawClient client = RawClient.inTransmission(address)) {
                byte[] data = Wire.pattern(3, 1 << 20);
                client.send(Wire.write(1, 8192, data));
                assertThat(client.read(16)).isEqualTo(Wire.reply(0, 1));
                client.send(Wire.request(Wire.READ, 0, 2, 8192, data.length));
                assertThat(client.read(16)).isEqualTo(Wire.reply(0, 2));
                assertThat(java.util.Arrays.equals(client.read(data.length), data)).isTrue();
                client.send(Wire.request(Wire.DISC, 0, 3, 0, 0));
                assertThat(client.isClosedByServer()).isTrue();
            }
        }
    }

    @Test
    void requestsMayComeRightBehindTheOptionThatEndsTheHandshake() throws Exception {
        try (RawClient client = RawClient.connect(tcp)) {
            client.send(
                    Wire.flags(3),
                    Wire.option(1, new byte[0]),
                    Wire.write(1, 0, Wire.pattern(1, 300 << 10)),
                    Wire.request(Wire.FLUSH, 0, 2, 0, 0),
                    Wire.request(Wire.DISC, 0, 3, 0, 0));
            client.read(18 + 10);
            assertThat(client.read(32)).isEqualTo(Wire.join(Wire.reply(0, 1), Wire.reply(0, 2)));
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void writesBeforeADiscAreDoneThoughTheClientIsGone() throws Exception {
        try (RawClient client = RawClient.inTransmission(unix)) {
            byte[][] all = new byte[64][];
            for (int i = 0; i < all.length; i++) {
                all[i] = Wire.write(i, i * 512L, Wire.pattern(i + 1, 512));
            }
            client.send(Wire.join(all), Wire.request(Wire.DISC, 0, 99, 0, 0));
        }
        await(() -> server.connections() == 0);
        assertThat(onOwner(() -> device.seen.size())).isEqualTo(64);
    }

    @Test
    void disconnectsAtAnyMomentDisturbNobodyElse() throws Exception {
        try (RawClient other = RawClient.inTransmission(tcp)) {
            for (int i = 0; i < 200; i++) {
                RawClient client = RawClient.connect(i % 2 == 0 ? tcp : unix);
                if (i % 2 == 0 && i % 3 == 0) {
                    client.resetOnClose();
                }
                byte[] script =
                        Wire.join(
                                Wire.flags(3),
                                Wire.go("mem"),
                                Wire.request(Wire.READ, 0, 1, 0, 1 << 20),
                                Wire.write(2, 0, new byte[200 << 10]));
                client.send(java.util.Arrays.copyOf(script, script.length * i / 200));
                client.close();
                other.send(Wire.request(Wire.FLUSH, 0, i, 0, 0));
                assertThat(other.read(16)).isEqualTo(Wire.reply(0, i));
            }
            await(() -> server.connections() == 1);
        }
    }

    @Test
    void memoryStaysFlatUnderAClientThatNeverReads() throws Exception {
        try (RawClient client = RawClient.inTransmission(unix)) {
            byte[][] many = new byte[1000][];
            for (int i = 0; i < many.length; i++) {
                many[i] = Wire.request(Wire.READ, 0, i, 0, 1 << 20);
            }
            byte[] burst = Wire.join(many);
            int stuck = 0;
            ByteBuffer bytes = ByteBuffer.wrap(burst);
            assertThat(client.offer(bytes)).isPositive();
            await(() -> allocator.metric().usedDirectMemory() > 1 << 20);
            while (stuck < 50) {
                if (!bytes.hasRemaining()) {
                    bytes.rewind();
                }
                stuck = client.offer(bytes) == 0 ? stuck + 1 : 0;
                onOwner(() -> true);
            }
            int bound = NbdLimits.DEFAULTS.maxInFlightBytes() + (4 << 20) + (8 << 20);
            assertThat(allocator.metric().usedDirectMemory()).isBetween(1L, (long) bound);
            try (RawClient other = RawClient.inTransmission(unix)) {
                other.send(Wire.request(Wire.READ, 0, 5, 0, 512));
                assertThat(other.read(16 + 512)).startsWith(Wire.reply(0, 5));
            }
        }
        await(() -> server.connections() == 0);
    }

    @Test
    void aFloodingClientDoesNotStarveAnother() throws Exception {
        onOwner(() -> device.isHolding = true);
        try (RawClient flood = RawClient.inTransmission(unix);
                RawClient other = RawClient.inTransmission(unix)) {
            byte[][] many = new byte[3000][];
            for (int i = 0; i < many.length; i++) {
                many[i] = Wire.request(Wire.READ, 0, i, 0, 512);
            }
            flood.send(many);
            await(() -> device.held.size() == NbdLimits.DEFAULTS.windowRequests());
            other.send(Wire.request(Wire.FLUSH, 0, 1, 0, 0));
            await(() -> device.held.size() == NbdLimits.DEFAULTS.windowRequests() + 1);
            onOwner(() -> {
                device.isHolding = false;
                device.release();
                return true;
            });
            assertThat(other.read(16)).isEqualTo(Wire.reply(0, 1));
            assertThat(flood.read(3000 * 528)).hasSize(3000 * 528);
        }
    }

    @Test
    void drainFinishesWhatIsOutstandingAndClosesTheRest() throws Exception {
        onOwner(() -> device.isHolding = true);
        try (RawClient busy = RawClient.inTransmission(tcp);
                RawClient idle = RawClient.inTransmission(unix);
                RawClient shaking = RawClient.connect(tcp)) {
            shaking.read(18);
            busy.send(Wire.write(1, 0, Wire.pattern(9, 4096)));
            await(() -> device.held.size() == 1);
            var drained = server.drain(Duration.ofSeconds(20));
            assertThat(idle.isClosedByServer()).isTrue();
            assertThat(shaking.isClosedByServer()).isTrue();
            assertThat(drained).isNotDone();
            onOwner(() -> {
                device.release();
                return true;
            });
            assertThat(busy.read(16)).isEqualTo(Wire.reply(0, 1));
            assertThat(busy.isClosedByServer()).isTrue();
            drained.get(10, TimeUnit.SECONDS);
            assertThatThrownBy(() -> RawClient.connect(tcp)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void drainCutsOffAtItsDeadline() throws Exception {
        onOwner(() -> device.isHolding = true);
        try (RawClient busy = RawClient.inTransmission(tcp)) {
            busy.send(Wire.write(1, 0, new byte[512]));
            await(() -> device.held.size() == 1);
            var drained = server.drain(Duration.ofMillis(50));
            assertThat(busy.isClosedByServer()).isTrue();
            onOwner(() -> {
                device.release();
                return true;
            });
            drained.get(10, TimeUnit.SECONDS);
        }
    }

    /**
     * Options, requests and the end lie in the socket before the server looks at any of them, so
     * the connection is closed before it has got to the loop of its device.
     */
    @Test
    void whatAClientSentBeforeItLeftIsDoneThoughItNeverReachedTheDevicesLoop() throws Exception {
        for (SocketAddress address : List.of(tcp, unix)) {
            for (int round = 0; round < 20; round++) {
                var blocked = new CountDownLatch(1);
                byte[] data = Wire.pattern(round, 512);
                try (RawClient client = RawClient.connect(address)) {
                    client.read(18);
                    acceptors.next().execute(() -> awaitUninterruptibly(blocked));
                    client.send(
                            Wire.flags(3),
                            Wire.go("mem"),
                            Wire.write(1, 4096, data),
                            Wire.write(2, 8192, data),
                            Wire.request(Wire.READ, 0, 3, 0, 512),
                            Wire.request(Wire.WRITE, 0, 4, 0, 4096),
                            new byte[100]);
                }
                blocked.countDown();
                await(() -> server.connections() == 0);
                for (int offset : new int[] {4096, 8192}) {
                    byte[] written =
                            onOwner(() ->
                                    Arrays.copyOfRange(device.contents, offset, offset + 512));
                    assertThat(written).as("round %d", round).isEqualTo(data);
                }
            }
        }
        assertThat(device.seen).doesNotContain("WRITE offset=0 length=4096");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void oneConnectionTooManyIsRefused() throws Exception {
        NbdLimits d = NbdLimits.DEFAULTS;
        NbdServer small =
                serve(
                        new NbdLimits(
                                d.handshakeDeadlineMs(),
                                d.payloadDeadlineMs(),
                                2,
                                d.maxOptions(),
                                d.maxOptionBytes(),
                                d.maxRequestBytes(),
                                d.maxSkipBytes(),
                                d.windowRequests(),
                                d.maxInFlightBytes(),
                                d.memoryBytes(),
                                d.writeHighWaterBytes(),
                                0));
        SocketAddress address =
                small.listenTcp(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TlsMode.OFF);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            clients.add(RawClient.inTransmission(address));
        }
        try (RawClient third = RawClient.connect(address)) {
            assertThat(third.isClosedByServer()).isTrue();
        }
        assertThat(counters.connectionsRefused()).isOne();
        for (RawClient client : clients) {
            client.close();
        }
        await(() -> small.connections() == 0);
        small.close();
    }

    @Test
    void aTakenPortIsOneClearLine() {
        assertThatThrownBy(() -> server.listenTcp((InetSocketAddress) tcp, TlsMode.OFF))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "cannot listen on 127.0.0.1:%d: address already in use",
                        ((InetSocketAddress) tcp).getPort());
    }

    @Test
    void aLiveSocketIsRefusedAStaleOneReplacedAndAFileLeftAlone() throws Exception {
        Path live = folder.resolve("nbd");
        assertThatThrownBy(() -> server.listenUnix(live, SocketAccess.of(OWNER), TlsMode.OFF))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        Path stale = folder.resolve("stale");
        var dead = java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(stale));
        dead.close();
        assertThat(Files.exists(stale)).isTrue();
        server.listenUnix(stale, SocketAccess.of(OWNER), TlsMode.OFF);
        assertThat(Files.getPosixFilePermissions(stale)).isEqualTo(OWNER);
        RawClient.inTransmission(UnixDomainSocketAddress.of(stale)).close();
        Path others = folder.resolve("others");
        var datagrams =
                new Bootstrap()
                        .group(owners)
                        .channel(EpollDomainDatagramChannel.class)
                        .handler(new ChannelInboundHandlerAdapter())
                        .bind(new DomainSocketAddress(others.toFile()))
                        .syncUninterruptibly()
                        .channel();
        assertThatThrownBy(() -> server.listenUnix(others, SocketAccess.of(OWNER), TlsMode.OFF))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
        assertThat(Files.exists(others)).isTrue();
        datagrams.close().syncUninterruptibly();
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> server.listenUnix(file, SocketAccess.of(OWNER), TlsMode.OFF))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no socket");
        assertThat(Files.exists(file)).isTrue();
        await(() -> server.connections() == 0);
    }
}
