package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many clients of one server: how they come, how they leave, and what each may take. */
@Timeout(120)
class TransportTest {
    private static final int CYCLES = Integer.getInteger("spindle.cycles", 2_000);

    @TempDir private Path folder;
    private final MemoryDevice device = new MemoryDevice(4 << 20);
    private final NbdCounters counters = new NbdCounters();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MultiThreadIoEventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final EventLoop owner = loops.next();
    private final NbdServer server =
            new NbdServer(
                    Exports.of(List.of(new Export("mem", "", device, owner))),
                    NbdLimits.DEFAULTS,
                    loops,
                    counters,
                    allocator);

    @AfterEach
    void nothingIsLeft() throws Exception {
        server.drain(Duration.ofSeconds(5)).get(20, TimeUnit.SECONDS);
        server.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
        assertThat(counters.connectionsOpened()).isEqualTo(counters.connectionsClosed());
        assertThat(allocator.metric().usedDirectMemory()).as("leaked direct bytes").isZero();
        assertThat(allocator.metric().usedHeapMemory()).as("leaked heap bytes").isZero();
    }

    private SocketAddress tcp(String host) throws IOException {
        return server.listenTcp(new InetSocketAddress(host, 0), TlsMode.OFF);
    }

    private SocketAddress unix(SocketAccess access) throws IOException {
        Path path = folder.resolve("s");
        server.listenUnix(path, access, TlsMode.OFF);
        return UnixDomainSocketAddress.of(path);
    }

    private static SocketAccess mode(String permissions) {
        return SocketAccess.of(PosixFilePermissions.fromString(permissions));
    }

    private <T> T onOwner(Callable<T> question) throws Exception {
        return owner.submit(question).get(20, TimeUnit.SECONDS);
    }

    private void awaitConnections(int count) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (onOwner(server::connections) != count) {
            assertThat(deadlineNs - System.nanoTime()).as("time left").isPositive();
        }
    }

    private static void flush(RawClient client, long cookie) throws IOException {
        client.send(Wire.request(Wire.FLUSH, 0, cookie, 0, 0));
        assertThat(client.read(16)).isEqualTo(Wire.reply(0, cookie));
    }

    @Test
    void servesIpv6() throws IOException {
        try (RawClient client = RawClient.inTransmission(tcp("::1"))) {
            flush(client, 1);
        }
    }

    @Test
    void theSocketFileHasItsModeAndOwner() throws IOException {
        String user = Files.getOwner(folder).getName();
        unix(
                new SocketAccess(
                        PosixFilePermissions.fromString("rw-rw----"),
                        Optional.of(user),
                        Optional.empty()));
        Path socket = folder.resolve("s");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw----");
        assertThat(Files.getOwner(socket).getName()).isEqualTo(user);
    }

    @Test
    void anOwnerNobodyKnowsIsOneClearLineAndNoSocketStays() {
        var access =
                new SocketAccess(
                        PosixFilePermissions.fromString("rw-------"),
                        Optional.empty(),
                        Optional.of("no-such-group"));
        assertThatThrownBy(() -> unix(access))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "cannot listen on %s: group no-such-group is not known here",
                        folder.resolve("s"));
        assertThat(Files.exists(folder.resolve("s"))).isFalse();
    }

    /**
     * Both clients' requests lie in their sockets before the loop looks. Whoever has many must let
     * the other in after a turn's worth.
     */
    @Test
    void aFloodLetsAPoliteClientInAfterOneTurn() throws Exception {
        SocketAddress address = unix(mode("rw-------"));
        try (RawClient flood = RawClient.inTransmission(address);
                RawClient polite = RawClient.inTransmission(address)) {
            for (int round = 0; round < 20; round++) {
                onOwner(() -> {
                    device.seen.clear();
                    return true;
                });
                CountDownLatch held = new CountDownLatch(1);
                owner.execute(() -> awaitQuietly(held));
                byte[][] many = new byte[4000][];
                for (int i = 0; i < many.length; i++) {
                    many[i] = Wire.request(Wire.READ, 0, i, 0, 512);
                }
                flood.send(many);
                polite.send(Wire.request(Wire.FLUSH, 0, 7, 0, 0));
                held.countDown();
                assertThat(polite.read(16)).isEqualTo(Wire.reply(0, 7));
                flood.read(many.length * 528);
                List<String> seen = onOwner(() -> List.copyOf(device.seen));
                int before = 0;
                while (!seen.get(before).startsWith("FLUSH")) {
                    before++;
                }
                assertThat(seen).hasSize(4001);
                assertThat(before).isLessThanOrEqualTo(2 * NbdSession.TURN_REQUESTS);
            }
        }
    }

    /** A device that takes no time gives credit back within the very turn that has used it up. */
    @Test
    void moreThanTheWindowAtOnceIsAllAnswered() {
        NbdLimits d = NbdLimits.DEFAULTS;
        for (int window : new int[] {1, 3, 1024}) {
            NbdLimits limits =
                    new NbdLimits(
                            d.handshakeDeadlineMs(),
                            d.payloadDeadlineMs(),
                            d.maxConnections(),
                            d.maxOptions(),
                            d.maxOptionBytes(),
                            d.maxRequestBytes(),
                            d.maxSkipBytes(),
                            window,
                            d.maxInFlightBytes(),
                            d.memoryBytes(),
                            d.writeHighWaterBytes(),
                            0);
            try (Conversation conversation = Conversation.inTransmission(device, limits)) {
                byte[][] many = new byte[4000][];
                for (int i = 0; i < many.length; i++) {
                    many[i] = Wire.request(Wire.FLUSH, 0, i, 0, 0);
                }
                conversation.send(many);
                assertThat(conversation.received()).hasSize(4000 * 16);
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aClientCutOffWithinAWriteLosesThatWriteAloneAndNobodyNotices() throws Exception {
        SocketAddress address = tcp("127.0.0.1");
        try (RawClient other = RawClient.inTransmission(address)) {
            for (int sent : new int[] {1, 27, 28, 29, 512, 99_999}) {
                try (RawClient leaving = RawClient.inTransmission(address)) {
                    leaving.send(Wire.write(1, 0, Wire.pattern(sent, 512)));
                    assertThat(leaving.read(16)).isEqualTo(Wire.reply(0, 1));
                    byte[] next = Wire.write(2, 0, Wire.pattern(sent + 1, 100_352));
                    leaving.send(java.util.Arrays.copyOf(next, sent));
                }
                awaitConnections(1);
                other.send(Wire.request(Wire.READ, 0, 3, 0, 512));
                assertThat(other.read(16 + 512))
                        .isEqualTo(Wire.join(Wire.reply(0, 3), Wire.pattern(sent, 512)));
            }
        }
    }

    @Test
    void aClientThatLeavesWithRepliesUnreadHasItsAcknowledgedWritesThere() throws Exception {
        SocketAddress address = tcp("127.0.0.1");
        try (RawClient other = RawClient.inTransmission(address)) {
            try (RawClient leaving = RawClient.inTransmission(address)) {
                leaving.resetOnClose();
                leaving.send(Wire.write(1, 4096, Wire.pattern(9, 4096)));
                assertThat(leaving.read(16)).isEqualTo(Wire.reply(0, 1));
                for (int i = 0; i < 40; i++) {
                    leaving.send(Wire.request(Wire.READ, 0, i, 0, 1 << 20));
                }
                flush(other, 5);
            }
            awaitConnections(1);
            other.send(Wire.request(Wire.READ, 0, 3, 4096, 4096));
            assertThat(other.read(16 + 4096))
                    .isEqualTo(Wire.join(Wire.reply(0, 3), Wire.pattern(9, 4096)));
        }
    }

    @Test
    void aClientCutOffAnywhereInItsHandshakeIsForgotten() throws Exception {
        SocketAddress address = unix(mode("rw-------"));
        try (RawClient other = RawClient.inTransmission(address)) {
            byte[] script = Wire.join(Wire.flags(3), Wire.option(3, new byte[0]), Wire.go("mem"));
            for (int sent = 0; sent <= script.length; sent++) {
                try (RawClient leaving = RawClient.connect(address)) {
                    leaving.send(java.util.Arrays.copyOf(script, sent));
                }
                flush(other, sent);
            }
            awaitConnections(1);
        }
    }

    @Test
    void comingAndGoingLeaksNoDescriptorAndNoMemory() throws Exception {
        SocketAddress tcp = tcp("127.0.0.1");
        SocketAddress unix = unix(mode("rw-------"));
        cycles(tcp, unix, 100);
        awaitConnections(0);
        long descriptorsBefore = descriptors();
        long directBefore = allocator.metric().usedDirectMemory();
        cycles(tcp, unix, CYCLES);
        awaitConnections(0);
        assertThat(allocator.metric().usedDirectMemory()).isEqualTo(directBefore);
        assertThat(descriptors()).isLessThanOrEqualTo(descriptorsBefore);
    }

    private static void cycles(SocketAddress tcp, SocketAddress unix, int count)
            throws IOException {
        for (int i = 0; i < count; i++) {
            SocketAddress address = i % 2 == 0 ? tcp : unix;
            try (RawClient client =
                    i % 3 == 0 ? RawClient.connect(address) : RawClient.inTransmission(address)) {
                if (i % 3 == 1) {
                    client.send(Wire.request(Wire.READ, 0, 1, 0, 4096));
                    client.read(16 + 4096);
                    client.send(Wire.request(Wire.DISC, 0, 2, 0, 0));
                }
            }
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void anIdleConnectionHoldsNoBuffer() throws Exception {
        SocketAddress address = unix(mode("rw-------"));
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawClient client = RawClient.inTransmission(address);
            client.send(Wire.request(Wire.READ, 0, 1, 0, 4096));
            client.read(16 + 4096);
            clients.add(client);
        }
        onOwner(() -> true);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        for (RawClient client : clients) {
            client.close();
        }
        awaitConnections(0);
    }
}
