package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS over real sockets, with acceptor and device on different loops. */
@Timeout(60)
class TlsServerTest {
    private static final int SIZE = 8 << 20;
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir private static Path folder;
    private static Certificates made;

    private final MemoryDevice device = new MemoryDevice(SIZE);
    private final NbdCounters counters = new NbdCounters();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MultiThreadIoEventLoopGroup acceptors =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final MultiThreadIoEventLoopGroup owners =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private @Nullable ServerTls tls;
    private @Nullable NbdServer server;
    private InetSocketAddress address = new InetSocketAddress(0);

    @BeforeAll
    static void make() {
        made = new Certificates(folder);
        made.make("server");
        made.make("client");
        made.make("stranger");
    }

    @BeforeEach
    void isDirect() {
        device.isDirect = true; // so that the short cuts that must not be taken are there
    }

    private void serve(TlsMode mode, Optional<Path> clientCa) throws IOException {
        tls = ServerTls.load(new TlsFiles(made.pem("server"), made.key("server"), clientCa));
        Exports exports = Exports.of(List.of(new Export("mem", "", device, owners.next())));
        server =
                new NbdServer(
                        exports,
                        NbdLimits.DEFAULTS,
                        acceptors,
                        counters,
                        Optional.of(tls),
                        allocator);
        address =
                (InetSocketAddress)
                        server.listenTcp(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), mode);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        Objects.requireNonNull(server).drain(Duration.ofSeconds(10)).get(20, TimeUnit.SECONDS);
        server.close();
        Objects.requireNonNull(tls).close();
        for (var group : List.of(acceptors, owners)) {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
        }
        assertThat(counters.connectionsOpened()).isEqualTo(counters.connectionsClosed());
        assertThat(allocator.metric().usedDirectMemory()).as("leaked direct bytes").isZero();
    }

    private static SSLContext context(Optional<String> identity) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            try (InputStream in = Files.newInputStream(made.pem("server"))) {
                trusted.setCertificateEntry(
                        "s", CertificateFactory.getInstance("X.509").generateCertificate(in));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            KeyManager[] keys = identity.isPresent() ? keys(identity.get()) : new KeyManager[0];
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keys(String identity) throws GeneralSecurityException, IOException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(identity + ".p12"))) {
            own.load(in, PASSWORD);
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(own, PASSWORD);
        return factory.getKeyManagers();
    }

    /** A client that has just got TLS; its stream is the SSL socket's. */
    private final class Client implements AutoCloseable {
        final Socket plain = new Socket(address.getAddress(), address.getPort());
        final SSLSocket socket;
        final DataInputStream in;

        Client(Optional<String> identity, String... protocols) throws IOException {
            plain.setSoTimeout(20_000);
            DataInputStream clear = new DataInputStream(plain.getInputStream());
            clear.readNBytes(18);
            plain.getOutputStream().write(Wire.join(Wire.flags(3), Wire.option(5, new byte[0])));
            assertThat(clear.readNBytes(20)).isEqualTo(Wire.optionReply(5, 1));
            socket =
                    (SSLSocket)
                            context(identity)
                                    .getSocketFactory()
                                    .createSocket(plain, "127.0.0.1", address.getPort(), true);
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            in = new DataInputStream(socket.getInputStream());
        }

        void send(byte[]... parts) throws IOException {
            socket.getOutputStream().write(Wire.join(parts));
        }

        void beginTransmission() throws IOException {
            send(Wire.option(1, new byte[0]));
            in.readNBytes(10);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void dataGoesThroughTlsAndBack(String protocol) throws IOException {
        serve(TlsMode.REQUIRED, Optional.empty());
        try (Client client = new Client(Optional.empty(), protocol)) {
            client.beginTransmission();
            assertThat(client.socket.getSession().getProtocol()).isEqualTo(protocol);
            for (int bytes : new int[] {512, 16 << 10, 99_328, 3 << 20}) {
                byte[] data = Wire.pattern(bytes, bytes);
                client.send(Wire.write(1, 4096, data), Wire.request(Wire.READ, 0, 2, 4096, bytes));
                assertThat(client.in.readNBytes(32))
                        .isEqualTo(Wire.join(Wire.reply(0, 1), Wire.reply(0, 2)));
                assertThat(Arrays.equals(client.in.readNBytes(bytes), data)).isTrue();
            }
            client.send(Wire.request(Wire.DISC, 0, 3, 0, 0));
            assertThat(client.in.read()).isEqualTo(-1);
        }
        assertThat(counters.tlsConnections()).isOne();
        assertThat(counters.protocolErrors()).isZero();
    }

    @Test
    void manyRequestsInFlightComeBackWhole() throws IOException {
        serve(TlsMode.OPTIONAL, Optional.empty());
        try (Client client = new Client(Optional.empty())) {
            client.beginTransmission();
            byte[] data = Wire.pattern(5, 1 << 20);
            client.send(Wire.write(1, 0, data));
            assertThat(client.in.readNBytes(16)).isEqualTo(Wire.reply(0, 1));
            byte[][] many = new byte[500][];
            for (int i = 0; i < many.length; i++) {
                many[i] = Wire.request(Wire.READ, 0, i, (i % 16) << 16, 1 << 16);
            }
            client.send(many);
            for (int i = 0; i < many.length; i++) {
                assertThat(client.in.readNBytes(16)).isEqualTo(Wire.reply(0, i));
                int from = (i % 16) << 16;
                byte[] part = Arrays.copyOfRange(data, from, from + (1 << 16));
                assertThat(Arrays.equals(client.in.readNBytes(1 << 16), part)).isTrue();
            }
        }
    }

    @Test
    void withinTlsOptionsAreServedAndASecondStartTlsIsInvalid() throws IOException {
        serve(TlsMode.REQUIRED, Optional.empty());
        try (Client client = new Client(Optional.empty())) {
            client.send(Wire.option(5, new byte[0]));
            byte[] head = client.in.readNBytes(20);
            assertThat(Arrays.copyOf(head, 16))
                    .isEqualTo(Arrays.copyOf(Wire.optionReply(5, Wire.ERR_INVALID), 16));
            client.in.readNBytes(head[19]);
            client.send(Wire.option(3, new byte[0]));
            byte[] mem = Wire.join(new byte[] {0, 0, 0, 3}, new byte[] {'m', 'e', 'm'});
            assertThat(client.in.readNBytes(20 + 7 + 20))
                    .isEqualTo(Wire.join(Wire.optionReply(3, 2, mem), Wire.optionReply(3, 1)));
        }
    }

    @Test
    void aClientIsKnownByItsCertificate() throws IOException {
        serve(TlsMode.REQUIRED, Optional.of(made.pem("client")));
        try (Client client = new Client(Optional.of("client"))) {
            client.beginTransmission();
            client.send(Wire.request(Wire.FLUSH, 0, 7, 0, 0));
            assertThat(client.in.readNBytes(16)).isEqualTo(Wire.reply(0, 7));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "stranger"})
    void aClientWithoutOneThatCountsIsTurnedAway(String identity) throws IOException {
        serve(TlsMode.REQUIRED, Optional.of(made.pem("client")));
        Optional<String> shown = Optional.of(identity).filter(name -> !name.equals("none"));
        try (Client client = new Client(shown)) {
            assertThatThrownBy(
                            () -> {
                                client.send(Wire.option(3, new byte[0]));
                                client.in.readFully(new byte[20]);
                            })
                    .isInstanceOf(IOException.class);
        }
        assertThat(counters.tlsConnections()).isZero();
    }

    @Test
    void garbageWithinTlsEndsThatConnectionAlone() throws IOException {
        serve(TlsMode.OPTIONAL, Optional.empty());
        try (Client other = new Client(Optional.empty());
                Client broken = new Client(Optional.empty())) {
            other.beginTransmission();
            broken.beginTransmission();
            broken.plain.getOutputStream().write(Wire.request(Wire.READ, 0, 1, 0, 512));
            assertThatThrownBy(() -> broken.in.readFully(new byte[512]))
                    .isInstanceOf(IOException.class);
            other.send(Wire.request(Wire.FLUSH, 0, 7, 0, 0));
            assertThat(other.in.readNBytes(16)).isEqualTo(Wire.reply(0, 7));
        }
        assertThat(device.seen).hasSize(1);
    }

    @Test
    void aClientThatVanishesWithinTheTlsHandshakeLeavesNothing() throws IOException {
        serve(TlsMode.REQUIRED, Optional.empty());
        for (int i = 0; i < 50; i++) {
            Client client = new Client(Optional.empty());
            client.plain.getOutputStream().write(new byte[] {0x16, 3, 1, 0, (byte) i}, 0, i % 6);
            client.plain.close();
        }
        try (Client client = new Client(Optional.empty())) {
            client.beginTransmission();
        }
    }
}
