package dev.spindle.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Asks a daemon over its control socket; a connection for each request. */
public final class ControlClient {
    static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long SILENCE_MS = 10_000;

    private final Path socket;

    public ControlClient(Path socket) {
        this.socket = socket;
    }

    /**
     * Sends it and waits for the answer.
     *
     * @throws IOException when nobody listens or no answer comes
     * @throws RefusedException when the daemon says no
     */
    public ControlAnswer ask(ControlRequest request) throws IOException, RefusedException {
        String line = exchange(request.line());
        ControlAnswer answer;
        try {
            answer = new ControlAnswer(Json.parse(line));
        } catch (BadRequestException e) {
            throw new IOException("control socket " + socket + ": the answer is " + e.getMessage());
        }
        if (!answer.isOk()) {
            throw new RefusedException(answer.text("error"));
        }
        return answer;
    }

    private String exchange(String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer request = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
            while (request.hasRemaining()) {
                channel.write(request);
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return readLine(channel, selector);
        }
    }

    private String readLine(SocketChannel channel, Selector selector) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (line.size() <= MAX_ANSWER_BYTES) {
            if (selector.select(SILENCE_MS) == 0) {
                throw new IOException(
                        "control socket " + socket + ": no answer for " + SILENCE_MS + " ms");
            }
            selector.selectedKeys().clear();
            if (channel.read(chunk.clear()) < 0) {
                throw new IOException("control socket " + socket + ": closed without an answer");
            }
            for (int i = 0; i < chunk.position(); i++) {
                if (chunk.get(i) == '\n') {
                    line.write(chunk.array(), 0, i);
                    return line.toString(StandardCharsets.UTF_8);
                }
            }
            line.write(chunk.array(), 0, chunk.position());
        }
        throw new IOException(
                "control socket "
                        + socket
                        + ": an answer longer than "
                        + MAX_ANSWER_BYTES
                        + " bytes");
    }
}
