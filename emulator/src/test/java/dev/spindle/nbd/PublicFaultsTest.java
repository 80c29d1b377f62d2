package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that were reported of other servers, over both kinds of sockets. */
@Timeout(60)
class PublicFaultsTest {
    private static final int SIZE = 64 << 20;
    private final MemoryDevice device = new MemoryDevice(SIZE);
    private final NbdCounters counters = new NbdCounters();
    private final MultiThreadIoEventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
    private final EventLoop owner = loops.next();
    private final NbdServer server =
            new NbdServer(
                    Exports.of(List.of(new Export("mem", "", device, owner))),
                    NbdLimits.DEFAULTS,
                    loops,
                    counters,
                    PooledByteBufAllocator.DEFAULT);
    @TempDir private Path folder;
    private SocketAddress tcp = new InetSocketAddress(0);

    @BeforeEach
    void listen() throws IOException {
        tcp =
                server.listenTcp(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TlsMode.OFF);
        server.listenUnix(
                folder.resolve("nbd"),
                SocketAccess.of(PosixFilePermissions.fromString("rw-------")),
                TlsMode.OFF);
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
    }

    private RawClient connect(String kind, byte[]... first) throws IOException {
        SocketAddress unix = UnixDomainSocketAddress.of(folder.resolve("nbd"));
        RawClient client = RawClient.connect(kind.equals("tcp") ? tcp : unix);
        client.read(18);
        client.send(first);
        return client;
    }

    /** Reads one option reply: its type and data. */
    private static byte[] optionReply(RawClient client, int type) throws IOException {
        var header = Unpooled.wrappedBuffer(client.read(20));
        assertThat(header.getInt(12)).isEqualTo(type);
        return client.read(header.getInt(16));
    }

    /** CVE-2022-26495 and 26496. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void lengthsOfNamesAreCheckedBeforeTheyAreUsed(String kind) throws IOException {
        int[][] cases = {{10, -1}, {10, 100}, {5004, 4999}};
        for (int[] each : cases) {
            byte[] data = new byte[each[0]];
            Unpooled.wrappedBuffer(data).setInt(0, each[1]);
            try (RawClient client = connect(kind, Wire.flags(3), Wire.option(6, data))) {
                optionReply(client, Wire.ERR_INVALID);
                client.send(Wire.option(2, new byte[0]));
                optionReply(client, 1);
                assertThat(client.isClosedByServer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void exportNameIsAnsweredInExactlySoManyBytes(String kind) throws IOException {
        for (int flags : new int[] {1, 3}) {
            try (RawClient client = connect(kind, Wire.flags(flags), Wire.option(1, new byte[0]))) {
                client.read(flags == 1 ? 134 : 10);
                client.send(Wire.request(Wire.READ, 0, 7, 0, 512));
                assertThat(client.read(16)).isEqualTo(Wire.reply(0, 7));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void servingGoesOnAfterAWriteAndAfterOneThatFailed(String kind) throws IOException {
        try (RawClient client = connect(kind, Wire.flags(3), Wire.option(1, new byte[0]))) {
            client.read(10);
            byte[] data = Wire.pattern(1, 512);
            client.send(Wire.write(1, 0, data));
            assertThat(client.read(16)).isEqualTo(Wire.reply(0, 1));
            client.send(Wire.write(2, SIZE - 256, data));
            assertThat(client.read(16)).isEqualTo(Wire.reply(28, 2));
            client.send(Wire.request(Wire.READ, 0, 3, 0, 512));
            assertThat(client.read(16 + 512)).isEqualTo(Wire.reply(0, 3, data));
        }
    }

    /** CVE-2024-7409: those who connect and say nothing, and those who reset. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void silentConnectionsAndResetsDoNotKeepOthersOut(String kind) throws IOException {
        List<RawClient> silent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            silent.add(connect(kind));
        }
        for (int i = 0; i < 50; i++) {
            RawClient client = connect(kind);
            if (kind.equals("tcp")) {
                client.resetOnClose();
            }
            client.close();
        }
        try (RawClient client = connect(kind, Wire.flags(3), Wire.option(1, new byte[0]))) {
            client.read(10);
            client.send(Wire.request(Wire.FLUSH, 0, 1, 0, 0));
            assertThat(client.read(16)).isEqualTo(Wire.reply(0, 1));
        }
        for (RawClient client : silent) {
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void threeHundredComeAndGo(String kind) throws IOException {
        for (int i = 0; i < 300; i++) {
            try (RawClient client =
                    connect(
                            kind,
                            Wire.flags(3),
                            Wire.option(1, new byte[0]),
                            Wire.request(Wire.DISC, 0, 1, 0, 0))) {
                client.read(10);
                assertThat(client.isClosedByServer()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void trimLeavesItsNeighboursAlone(String kind) throws IOException {
        int middle = SIZE / 2;
        int length = 8 << 20;
        byte[] data = Wire.pattern(2, 512);
        try (RawClient client = connect(kind, Wire.flags(3), Wire.option(1, new byte[0]))) {
            client.read(10);
            client.send(
                    Wire.write(1, middle, data),
                    Wire.write(2, middle + 4096 + length, data),
                    Wire.request(Wire.TRIM, 0, 3, middle + 4096, length),
                    Wire.request(Wire.READ, 0, 4, middle, 512),
                    Wire.request(Wire.READ, 0, 5, middle + 4096 + length, 512));
            assertThat(client.read(48))
                    .isEqualTo(Wire.join(Wire.reply(0, 1), Wire.reply(0, 2), Wire.reply(0, 3)));
            assertThat(client.read(2 * 528))
                    .isEqualTo(Wire.join(Wire.reply(0, 4, data), Wire.reply(0, 5, data)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void infoTellsTheSizeThatGoTells(String kind) throws IOException {
        try (RawClient client = connect(kind, Wire.flags(3))) {
            byte[][] told = new byte[2][];
            for (int option : new int[] {6, 7}) {
                client.send(Wire.option(option, Wire.infoData("mem", 0, 3)));
                byte[] export = optionReply(client, 3);
                told[option - 6] = Wire.join(export, optionReply(client, 3));
                optionReply(client, 1);
            }
            assertThat(told[0]).isEqualTo(told[1]);
            assertThat(Unpooled.wrappedBuffer(told[0]).getLong(2)).isEqualTo(SIZE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void withStructuredRepliesFailedReadsAreStructuredAndDontFragmentIsOneChunk(String kind)
            throws IOException {
        try (RawClient client = connect(kind, Wire.flags(3), Wire.structuredReply())) {
            optionReply(client, 1);
            client.send(Wire.go("mem"));
            byte[] export = optionReply(client, 3);
            assertThat(export[11] & 0x80).as("SEND_DF").isNotZero();
            optionReply(client, 3);
            optionReply(client, 1);
            long[][] wrong = {{0, SIZE - 256}, {0x8000, 0}};
            for (long[] each : wrong) {
                client.send(Wire.request(Wire.READ, (int) each[0], 5, each[1], 512));
                var header = Unpooled.wrappedBuffer(client.read(20));
                assertThat(header.getInt(0)).isEqualTo(Chunk.STRUCTURED);
                assertThat(header.getUnsignedShort(6)).isEqualTo(Wire.ERROR);
                var payload = Unpooled.wrappedBuffer(client.read(header.getInt(16)));
                assertThat(payload.getInt(0)).isEqualTo(22);
            }
            client.send(Wire.request(Wire.READ, Wire.DF, 6, 0, 65_536));
            byte[] zeroes = new byte[65_536];
            assertThat(client.read(28 + zeroes.length))
                    .isEqualTo(Wire.chunk(true, Wire.OFFSET_DATA, 6, Wire.data(0, zeroes)));
            assertThat(Arrays.equals(zeroes, Arrays.copyOf(device.contents, 65_536))).isTrue();
        }
    }
}
