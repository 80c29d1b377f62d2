package dev.spindle.shm;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.UnsafeBuffer;

/** A process under the shim, as far as the daemon can tell; one that may also misbehave. */
final class ShmProbe implements AutoCloseable {
    final Path channelPath;
    final FileChannel file;
    final UnsafeBuffer fields;
    final UnsafeBuffer pool;
    final long capacityBytes;
    private final SocketChannel socket;
    private final long[] taken = new long[2];
    private int submitted;
    private int reaped;

    ShmProbe(Path folder, String device) throws IOException {
        socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        socket.connect(UnixDomainSocketAddress.of(folder.resolve("shm.sock")));
        byte[] name = device.getBytes(StandardCharsets.UTF_8);
        ByteBuffer hello = little(16 + name.length);
        hello.putLong(ShmHandshake.MAGIC).putInt(1).putInt(name.length).put(name).flip();
        socket.write(hello);
        ByteBuffer reply = receive(32);
        reply.getLong();
        int status = reply.getInt();
        reply.getInt();
        capacityBytes = reply.getLong();
        String first = text(reply.getInt(24));
        String second = text(reply.getInt(28));
        if (status != 0) {
            throw new IOException(status + ": " + first);
        }
        channelPath = Path.of(first);
        file = open(channelPath);
        fields = new UnsafeBuffer(map(file));
        try (FileChannel poolFile = open(Path.of(second))) {
            pool = new UnsafeBuffer(map(poolFile));
        }
        for (int direction = 0; direction < taken.length; direction++) {
            taken[direction] =
                    fields.getLong(ChannelLayout.CREDIT_BASE_OFFSET + direction * Long.BYTES);
        }
        say('M');
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static MappedByteBuffer map(FileChannel file) throws IOException {
        return file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
    }

    private ByteBuffer receive(int bytes) throws IOException {
        ByteBuffer received = little(bytes);
        while (received.hasRemaining()) {
            if (socket.read(received) < 0) {
                throw new EOFException("the daemon hung up");
            }
        }
        return received.flip();
    }

    private String text(int bytes) throws IOException {
        return StandardCharsets.UTF_8.decode(receive(bytes)).toString();
    }

    void say(char letter) throws IOException {
        socket.write(ByteBuffer.wrap(new byte[] {(byte) letter}));
    }

    /** Returns when the daemon has hung up. */
    void awaitHangUp() throws IOException {
        while (socket.read(ByteBuffer.allocate(1)) >= 0) {
            Thread.onSpinWait();
        }
    }

    /** As the shim takes one, with no other process about. */
    void takeCredit(int direction) {
        int at = 64 + direction * 64;
        int client = fields.getInt(ChannelLayout.CLIENT_OFFSET);
        long next = ++taken[direction];
        long word;
        do {
            word = pool.getLongVolatile(at);
            int last = (int) (word >>> SharedPool.CLIENT_SHIFT) & (PoolFile.CLIENTS - 1);
            if (last != client) {
                pool.putLongVolatile(
                        4096 + direction * 4096 + last * Long.BYTES,
                        word >>> SharedPool.SEQUENCE_SHIFT);
            }
        } while (!pool.compareAndSetLong(
                at,
                word,
                ((word & SharedPool.COUNT_MASK) + 1)
                        | (long) client << SharedPool.CLIENT_SHIFT
                        | next << SharedPool.SEQUENCE_SHIFT));
    }

    int creditsTaken(int direction) {
        return (int) (pool.getLongVolatile(64 + direction * 64) & SharedPool.COUNT_MASK);
    }

    /** Puts an entry into the ring, whatever it says. */
    void publish(int command, int flags, long offset, int length, int slot, int page) {
        int at =
                ChannelLayout.SUBMISSIONS_OFFSET
                        + submitted % ChannelLayout.SLOTS * ChannelLayout.SUBMISSION_BYTES;
        fields.putLong(at, offset);
        fields.putInt(at + 8, length);
        fields.putInt(at + 12, slot);
        fields.putShort(at + 16, (short) command);
        fields.putShort(at + 18, (short) flags);
        fields.putInt(at + 20, page);
        submitted++;
        fields.putIntVolatile(ChannelLayout.SUBMISSION_TAIL_OFFSET, submitted);
    }

    void ring() throws IOException {
        if (fields.compareAndSetInt(ChannelLayout.PARKED_OFFSET, 1, 0)) {
            say('B');
        }
    }

    /** The errno of the next completion. */
    int await() {
        while (fields.getIntVolatile(ChannelLayout.COMPLETION_TAIL_OFFSET) == reaped) {
            Thread.onSpinWait();
        }
        int at =
                ChannelLayout.COMPLETIONS_OFFSET
                        + reaped % ChannelLayout.SLOTS * ChannelLayout.COMPLETION_BYTES;
        reaped++;
        return fields.getInt(at + 4);
    }

    int run(int command, long offset, int length) throws IOException {
        takeCredit(command == ChannelLayout.COMMAND_READ ? 0 : 1);
        publish(command, 0, offset, length, 7, 1);
        ring();
        return await();
    }

    int write(long offset, byte[] data) throws IOException {
        fields.putBytes(dataAt(1), data);
        return run(ChannelLayout.COMMAND_WRITE, offset, data.length);
    }

    byte[] read(long offset, int length) throws IOException {
        int error = run(ChannelLayout.COMMAND_READ, offset, length);
        if (error != 0) {
            throw new IOException("read: errno " + error);
        }
        byte[] data = new byte[length];
        fields.getBytes(dataAt(1), data);
        return data;
    }

    static int dataAt(int page) {
        return ChannelLayout.ARENA_OFFSET + page * ChannelLayout.PAGE_BYTES;
    }

    long arenaBytes() {
        return fields.getLongVolatile(ChannelLayout.ARENA_BYTES_OFFSET);
    }

    long arenaLimitBytes() {
        return fields.getLongVolatile(ChannelLayout.ARENA_LIMIT_OFFSET);
    }

    /** As when the process dies. */
    @Override
    public void close() throws IOException {
        socket.close();
        file.close();
    }
}
