package dev.spindle.testbench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A client's side of one connection, with no mercy and no help: it sends what it is told, right or
 * wrong, and checks of the replies what the protocol demands (proto.md). What is said waits for
 * {@link #flush}.
 */
final class NbdClient implements AutoCloseable {
    static final int READ = 0;
    static final int WRITE = 1;
    static final int DISC = 2;
    static final int FLUSH = 3;
    static final int WRITE_ZEROES = 6;
    static final int BLOCK_STATUS = 7;
    static final int FUA = 1;
    static final int DF = 4;
    static final int PAYLOAD_LEN = 32;
    static final int ACK = 1;
    static final int OPT_EXPORT_NAME = 1;
    static final int OPT_STARTTLS = 5;
    static final int OPT_INFO = 6;
    static final int OPT_GO = 7;
    static final int OPT_STRUCTURED_REPLY = 8;
    static final int OPT_SET_META_CONTEXT = 10;
    static final int OPT_EXTENDED_HEADERS = 11;

    private static final int OFFSET_DATA = 1;
    private static final int OFFSET_HOLE = 2;
    private static final int STATUS = 5;
    private static final int STATUS_EXT = 6;
    private static final int BUFFER_BYTES = 1 << 16;

    /** What a reply may look like, as agreed on in the handshake. */
    enum Replies {
        SIMPLE,
        STRUCTURED,
        EXTENDED
    }

    private final SocketChannel socket;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(unsent);
    private final Map<Long, Reply> outstanding = new HashMap<>();
    private DataInputStream in;
    private OutputStream wire;
    private Replies replies = Replies.SIMPLE;

    /** The cookie of the reply that was read last. */
    private long current;

    private NbdClient(SocketChannel socket) throws IOException {
        this.socket = socket;
        in = buffered(Channels.newInputStream(socket));
        wire = Channels.newOutputStream(socket);
    }

    /** Connected, with the greeting read and the usual flags said. */
    static NbdClient greeted(SocketAddress address) throws IOException {
        NbdClient client = new NbdClient(SocketChannel.open(address));
        client.in.skipNBytes(18);
        client.out.writeInt(3);
        return client;
    }

    private static DataInputStream buffered(java.io.InputStream from) {
        return new DataInputStream(new BufferedInputStream(from, BUFFER_BYTES));
    }

    /** To write what no method here writes. */
    DataOutputStream raw() {
        return out;
    }

    void flush() throws IOException {
        wire.write(unsent.toByteArray());
        wire.flush();
        unsent.reset();
    }

    // Handshake.

    void sayOption(int option, byte[] data) throws IOException {
        out.writeLong(0x49484156454F5054L);
        out.writeInt(option);
        out.writeInt(data.length);
        out.write(data);
    }

    /** Says it and reads all it is answered; the type of the last answer, ACK or an error. */
    int option(int option, byte[] data) throws IOException {
        sayOption(option, data);
        flush();
        int type = 0;
        while (type != ACK && type >= 0) {
            if (in.readLong() != 0x3e889045565a9L || in.readInt() != option) {
                throw new AssertionError("no reply to option " + option);
            }
            type = in.readInt();
            in.skipNBytes(in.readInt());
        }
        return type;
    }

    /** {@code context} must have been made for the server's authority. */
    void startTls(SSLContext context) throws IOException {
        agree(OPT_STARTTLS, new byte[0]);
        String host = ((InetSocketAddress) socket.getRemoteAddress()).getHostString();
        SSLSocket made =
                (SSLSocket)
                        context.getSocketFactory().createSocket(socket.socket(), host, 0, false);
        made.startHandshake();
        in = buffered(made.getInputStream());
        wire = made.getOutputStream();
    }

    private void agree(int option, byte[] data) throws IOException {
        int type = option(option, data);
        if (type != ACK) {
            throw new AssertionError("option " + option + ": " + Integer.toHexString(type));
        }
    }

    /** Asks for it, and for base:allocation with all but simple ones. */
    void choose(Replies wanted, String export) throws IOException {
        replies = wanted;
        if (wanted != Replies.SIMPLE) {
            boolean isExtended = wanted == Replies.EXTENDED;
            agree(isExtended ? OPT_EXTENDED_HEADERS : OPT_STRUCTURED_REPLY, new byte[0]);
            agree(OPT_SET_META_CONTEXT, contextQuery(export));
        }
    }

    private static byte[] contextQuery(String export) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(data);
        writeString(to, export);
        to.writeInt(1);
        writeString(to, "base:allocation");
        return data.toByteArray();
    }

    private static void writeString(DataOutputStream to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    static byte[] infoQuery(String export) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(data);
        writeString(to, export);
        to.writeShort(0);
        return data.toByteArray();
    }

    void go(String export) throws IOException {
        agree(OPT_GO, infoQuery(export));
    }

    void useByName(String export) throws IOException {
        sayOption(OPT_EXPORT_NAME, export.getBytes(StandardCharsets.UTF_8));
        flush();
        in.skipNBytes(10);
    }

    // Transmission.

    void request(int type, int flags, long cookie, long offset, int length) throws IOException {
        header(type, flags, cookie, offset, length);
        outstanding.put(cookie, new Reply(type, cookie, offset, length));
    }

    /** One of which no reply is awaited. */
    void header(int type, int flags, long cookie, long offset, long length) throws IOException {
        boolean isExtended = replies == Replies.EXTENDED;
        out.writeInt(isExtended ? 0x21e41c71 : 0x25609513);
        out.writeShort(flags | (isExtended && type == WRITE ? PAYLOAD_LEN : 0));
        out.writeShort(type);
        out.writeLong(cookie);
        out.writeLong(offset);
        if (isExtended) {
            out.writeLong(length);
        } else {
            out.writeInt((int) length);
        }
    }

    /** The next reply that is whole; its chunks may come between those of others. */
    Reply readReply() throws IOException {
        while (true) {
            int magic = in.readInt();
            boolean isDone =
                    switch (magic) {
                        case 0x67446698 -> readSimple();
                        case 0x668e33ef, 0x6e8a278c -> readChunk(magic == 0x6e8a278c);
                        default ->
                                throw new AssertionError(
                                        "no reply's magic: " + Integer.toHexString(magic));
                    };
            if (isDone) {
                return Objects.requireNonNull(outstanding.remove(current));
            }
        }
    }

    private Reply find(long cookie) {
        current = cookie;
        Reply reply = outstanding.get(cookie);
        if (reply == null) {
            throw new AssertionError("a reply to nothing: cookie " + cookie);
        }
        return reply;
    }

    private boolean readSimple() throws IOException {
        int error = in.readInt();
        Reply reply = find(in.readLong());
        boolean mayBe =
                replies == Replies.SIMPLE
                        || (replies == Replies.STRUCTURED && reply.type() != READ);
        if (!mayBe) {
            throw new AssertionError("a simple reply to " + reply + ", agreed on: " + replies);
        }
        reply.error = error;
        if (reply.type() == READ && error == 0) {
            in.readFully(reply.data);
            reply.dataBytes = reply.length();
        }
        return true;
    }

    private boolean readChunk(boolean isExtended) throws IOException {
        int flags = in.readUnsignedShort();
        int type = in.readUnsignedShort();
        Reply reply = find(in.readLong());
        if (isExtended && in.readLong() != reply.offset()) {
            throw new AssertionError("another offset in the reply to " + reply);
        }
        long length = isExtended ? in.readLong() : in.readInt();
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        reply.take(type, payload);
        return (flags & 1) != 0;
    }

    /** The server must end the connection now, with nothing more. */
    void awaitEnd() throws IOException {
        if (in.read() >= 0) {
            throw new AssertionError("more than the replies after DISC");
        }
    }

    /** Closing it then throws away what is under way, as a crashed machine's would be. */
    void closeHard() throws IOException {
        if (socket.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        socket.close();
    }

    /** Without a word: neither DISC nor, in TLS, an alert. */
    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A request and what has been answered so far. */
    static final class Reply {
        private final int type;
        private final long cookie;
        private final long offset;
        private final int length;
        private final byte[] data;
        private int dataBytes;
        private int error;
        private long extentBytes;

        /** Pairs of length and flags. */
        private long[] extents = new long[0];

        private Reply(int type, long cookie, long offset, int length) {
            this.type = type;
            this.cookie = cookie;
            this.offset = offset;
            this.length = length;
            data = new byte[type == READ ? length : 0];
        }

        int type() {
            return type;
        }

        long cookie() {
            return cookie;
        }

        long offset() {
            return offset;
        }

        int length() {
            return length;
        }

        int error() {
            return error;
        }

        byte[] data() {
            return data;
        }

        long[] extents() {
            return extents.clone();
        }

        /** No error, and every byte and extent that was asked for. */
        void mustBeGood() {
            boolean isWhole =
                    switch (type) {
                        case READ -> dataBytes == length;
                        case BLOCK_STATUS -> extentBytes > 0;
                        default -> true;
                    };
            if (error != 0 || !isWhole) {
                throw new AssertionError(
                        this + ": error " + error + ", " + dataBytes + " bytes came");
            }
        }

        private void take(int chunk, byte[] payload) throws IOException {
            DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(payload));
            switch (chunk) {
                case 0 -> {}
                case OFFSET_DATA -> {
                    int at = (int) (in.readLong() - offset);
                    in.readFully(data, at, payload.length - 8);
                    dataBytes += payload.length - 8;
                }
                case OFFSET_HOLE -> {
                    int at = (int) (in.readLong() - offset);
                    int bytes = in.readInt();
                    Arrays.fill(data, at, at + bytes, (byte) 0);
                    dataBytes += bytes;
                }
                case STATUS, STATUS_EXT -> takeExtents(in, chunk == STATUS_EXT);
                default -> error = in.readInt();
            }
        }

        private void takeExtents(DataInputStream in, boolean isWide) throws IOException {
            in.skipNBytes(isWide ? 8 : 4);
            int count = in.available() / (isWide ? 16 : 8);
            extents = new long[2 * count];
            for (int i = 0; i < extents.length; i++) {
                extents[i] = isWide ? in.readLong() : Integer.toUnsignedLong(in.readInt());
                extentBytes += i % 2 == 0 ? extents[i] : 0;
            }
            if (in.available() > 0) {
                throw new EOFException("a part of an extent in the reply to " + this);
            }
        }

        @Override
        public String toString() {
            return "request type=" + type + " offset=" + offset + " length=" + length;
        }
    }
}
