package dev.spindle.nbd;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking client of raw bytes on a real socket. */
final class RawClient implements AutoCloseable {
    private final SocketChannel socket;

    private RawClient(SocketChannel socket) {
        this.socket = socket;
    }

    static RawClient connect(SocketAddress address) throws IOException {
        return new RawClient(SocketChannel.open(address));
    }

    /** In the transmission phase of the default export. */
    static RawClient inTransmission(SocketAddress address) throws IOException {
        RawClient client = connect(address);
        client.read(18);
        client.send(Wire.flags(3), Wire.option(1, new byte[0]));
        client.read(10);
        return client;
    }

    void send(byte[]... parts) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Wire.join(parts));
        while (all.hasRemaining()) {
            socket.write(all);
        }
    }

    /** Writes what the socket takes without waiting; how much that was. */
    int offer(ByteBuffer bytes) throws IOException {
        socket.configureBlocking(false);
        try {
            return socket.write(bytes);
        } finally {
            socket.configureBlocking(true);
        }
    }

    byte[] read(int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (socket.read(into) < 0) {
                throw new EOFException("after " + into.position() + " of " + length + " bytes");
            }
        }
        return into.array();
    }

    /** True if the server has closed, with no byte before. */
    boolean isClosedByServer() throws IOException {
        try {
            return socket.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    /** So that closing resets the connection instead of ending it in order; TCP alone. */
    void resetOnClose() throws IOException {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
