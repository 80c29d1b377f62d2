package dev.spindle.daemon;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The least of an NBD client (EXPORT_NAME, simple replies), one request at a time. */
final class NbdProbe implements AutoCloseable {
    private static final int REQUEST_MAGIC = 0x25609513;
    private static final int REPLY_MAGIC = 0x67446698;

    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;
    final long exportBytes;

    NbdProbe(Path socket, String export) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        in = new DataInputStream(Channels.newInputStream(channel));
        out = new DataOutputStream(Channels.newOutputStream(channel));
        in.skipNBytes(18);
        out.writeInt(3);
        byte[] name = export.getBytes(StandardCharsets.UTF_8);
        out.writeLong(0x49484156454F5054L);
        out.writeInt(1);
        out.writeInt(name.length);
        out.write(name);
        exportBytes = in.readLong();
        in.readUnsignedShort();
    }

    private int request(int type, long offset, int length, byte[] payload) throws IOException {
        out.writeInt(REQUEST_MAGIC);
        out.writeShort(0);
        out.writeShort(type);
        out.writeLong(1);
        out.writeLong(offset);
        out.writeInt(length);
        out.write(payload);
        if (in.readInt() != REPLY_MAGIC) {
            throw new IOException("no simple reply");
        }
        int error = in.readInt();
        in.readLong();
        return error;
    }

    int write(long offset, byte[] data) throws IOException {
        return request(1, offset, data.length, data);
    }

    int flush() throws IOException {
        return request(3, 0, 0, new byte[0]);
    }

    byte[] read(long offset, int length) throws IOException {
        int error = request(0, offset, length, new byte[0]);
        if (error != 0) {
            throw new IOException("READ ended with error " + error);
        }
        return in.readNBytes(length);
    }

    /** True when the server has closed the connection. */
    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
