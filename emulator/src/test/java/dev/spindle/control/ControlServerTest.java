package dev.spindle.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ControlServerTest {
    @TempDir private Path folder;
    private EventLoopGroup loop;
    private ControlServer server;
    private Path socket;

    @BeforeEach
    void listen() throws IOException {
        TunedDeviceFixture fixture = new TunedDeviceFixture(folder, "disk");
        ControlDesk desk = new ControlDesk(List.of(fixture.controlled), () -> Map.of("pid", 7));
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        socket = folder.resolve("control.sock");
        server = ControlServer.listen(socket, desk, loop);
    }

    @AfterEach
    void close() {
        server.close();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** All that comes back until the server closes. */
    private String say(String text) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return new String(
                    Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void assertThatItStillAnswers() throws IOException, RefusedException {
        ControlAnswer answer = new ControlClient(socket).ask(new ControlRequest.Devices());
        assertThat(answer.objects("devices").getFirst().text("name")).isEqualTo("hda");
    }

    @Test
    void answersItsClient() throws IOException, RefusedException {
        ControlClient client = new ControlClient(socket);
        assertThatItStillAnswers();
        client.ask(new ControlRequest.Tune("hda", Map.of("queue/nr_requests", "77")));
        ControlAnswer stat = client.ask(new ControlRequest.Stat(Optional.of("hda")));
        assertThat(stat.object("server").whole("pid")).isEqualTo(7);
        assertThat(stat.objects("devices").getFirst().object("settings").whole("queue/nr_requests"))
                .isEqualTo(77);
    }

    @Test
    void tellsItsClientWhyNot() {
        ControlRequest request = new ControlRequest.Tune("hda", Map.of("nr_requests", "0"));
        assertThatThrownBy(() -> new ControlClient(socket).ask(request))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("allowed 4 to 65536");
    }

    @Test
    void answersLinesThatComeTogetherOneByOneAndClosesOnGarbage()
            throws IOException, RefusedException {
        String answers =
                say(
                        """
                        {"command":"tune","device":"hda","settings":{"nr_requests":"9"}}
                        {"command":"tune","device":"hdb","settings":{"nr_requests":"9"}}
                        rubbish
                        {"command":"list"}
                        """);
        assertThat(answers.lines().toList()).hasSize(3);
        assertThat(answers.lines().toList().get(0)).contains("\"queue/nr_requests\":9");
        assertThat(answers.lines().toList().get(1)).contains("no device hdb, there is hda");
        assertThat(answers.lines().toList().get(2))
                .contains("\"ok\":false")
                .contains("control request: not one JSON object");
        assertThatItStillAnswers();
    }

    @Test
    void closesOnALineThatIsTooLong() throws IOException, RefusedException {
        assertThat(say("x".repeat(ControlServer.MAX_LINE_BYTES + 1)))
                .contains("a line longer than 524288 bytes");
        assertThatItStillAnswers();
    }

    @Test
    void closesOnBytesThatAreNoText() throws IOException, RefusedException {
        assertThat(say("\u0000\u00ff\u00fe{]\n")).contains("\"ok\":false");
        assertThatItStillAnswers();
    }

    @Test
    void leavesNoSocketThatAnswersWhenClosed() {
        server.close();
        assertThatThrownBy(() -> new ControlClient(socket).ask(new ControlRequest.Devices()))
                .isInstanceOf(IOException.class);
    }
}
