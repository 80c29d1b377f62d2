package dev.spindle.testbench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One client after the other, all of one seed, on a part of the device that is theirs alone. Each
 * does random things and leaves in a random way; a byte array says what their part must hold.
 */
final class SoakClient {
    static final int PART_BYTES = 4 << 20;

    private static final int BLOCK_BYTES = 4096;
    private static final int MOST_BLOCKS = 32;
    private static final int BATCH = 16;
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int DISC = 2;
    private static final int FLUSH = 3;
    private static final int WRITE_ZEROES = 6;

    private final SplittableRandom random;
    private final SocketAddress[] addresses;
    private final long partBytes;
    private final byte[] oracle = new byte[PART_BYTES];
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(batch);
    private long requests;

    /** {@code part} is which part of the device is theirs. */
    SoakClient(long seed, int part, SocketAddress... addresses) {
        random = new SplittableRandom(seed + part);
        this.addresses = addresses;
        partBytes = (long) part * PART_BYTES;
    }

    long requests() {
        return requests;
    }

    /** A connection from its beginning to its end. */
    void live() throws IOException {
        SocketAddress address = addresses[random.nextInt(addresses.length)];
        try (SocketChannel socket = SocketChannel.open(address)) {
            DataInputStream in =
                    new DataInputStream(
                            new BufferedInputStream(Channels.newInputStream(socket), 1 << 16));
            if (!handshake(socket, in)) {
                return;
            }
            int batches = random.nextInt(20);
            for (int i = 0; i < batches; i++) {
                batch(socket, in);
            }
            leave(socket, in);
        }
    }

    private void send(SocketChannel socket) throws IOException {
        var bytes = java.nio.ByteBuffer.wrap(batch.toByteArray());
        batch.reset();
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    private void option(int option, byte[] data) throws IOException {
        out.writeLong(0x49484156454F5054L);
        out.writeInt(option);
        out.writeInt(data.length);
        out.write(data);
    }

    /** Random options, then one that begins the transmission; false if it left before. */
    private boolean handshake(SocketChannel socket, DataInputStream in) throws IOException {
        if (random.nextInt(20) == 0) {
            return false;
        }
        in.skipNBytes(18);
        out.writeInt(3);
        int options = random.nextInt(5);
        for (int i = 0; i < options; i++) {
            byte[] data = new byte[random.nextInt(4) == 0 ? random.nextInt(100) : 0];
            random.nextBytes(data);
            option(random.nextBoolean() ? 3 : 4000 + random.nextInt(1000), data);
            send(socket);
            readOptionReplies(in);
        }
        if (random.nextInt(20) == 0) {
            out.writeLong(0x49484156454F5054L); // and no more of it
            send(socket);
            return false;
        }
        byte[] name = "disk".getBytes(StandardCharsets.US_ASCII);
        if (random.nextBoolean()) {
            option(1, name);
            send(socket);
            in.skipNBytes(10);
        } else {
            byte[] data = new byte[4 + name.length + 2];
            data[3] = (byte) name.length;
            System.arraycopy(name, 0, data, 4, name.length);
            option(7, data);
            send(socket);
            readOptionReplies(in);
        }
        return true;
    }

    /** Up to the one that ends the option: an ACK or an error. */
    private static void readOptionReplies(DataInputStream in) throws IOException {
        int type = 0;
        while (type != 1 && type >= 0) {
            in.skipNBytes(12);
            type = in.readInt();
            in.skipNBytes(in.readInt());
        }
    }

    private void request(int type, int cookie, long at, int length) throws IOException {
        out.writeInt(0x25609513);
        out.writeShort(random.nextInt(4) == 0 && type == WRITE ? 1 : 0);
        out.writeShort(type);
        out.writeLong(cookie);
        out.writeLong(type == FLUSH ? 0 : partBytes + at);
        out.writeInt(length);
        requests++;
    }

    /**
     * Some requests at once, none of which meets another: each is within a stripe of its own. Their
     * replies may come in any order.
     */
    private void batch(SocketChannel socket, DataInputStream in) throws IOException {
        int count = 1 + random.nextInt(BATCH);
        int stripe = PART_BYTES / count / BLOCK_BYTES;
        int[] types = new int[count];
        int[] at = new int[count];
        int[] length = new int[count];
        for (int i = 0; i < count; i++) {
            int blocks = 1 + random.nextInt(MOST_BLOCKS);
            at[i] = (i * stripe + random.nextInt(stripe - blocks)) * BLOCK_BYTES;
            length[i] = blocks * BLOCK_BYTES;
            types[i] = new int[] {READ, WRITE, READ, WRITE, WRITE_ZEROES, FLUSH}[random.nextInt(6)];
            submit(types[i], i, at[i], types[i] == FLUSH ? 0 : length[i]);
        }
        send(socket);
        for (int i = 0; i < count; i++) {
            readReply(in, types, at, length);
        }
    }

    /** Writes are in the oracle at once: nobody leaves before they are answered. */
    private void submit(int type, int cookie, int at, int length) throws IOException {
        request(type, cookie, at, length);
        if (type == WRITE) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            out.write(data);
            System.arraycopy(data, 0, oracle, at, length);
        } else if (type == WRITE_ZEROES) {
            Arrays.fill(oracle, at, at + length, (byte) 0);
        }
    }

    private void readReply(DataInputStream in, int[] types, int[] at, int[] length)
            throws IOException {
        if (in.readInt() != 0x67446698) {
            throw new AssertionError("no reply's magic");
        }
        int error = in.readInt();
        int which = (int) in.readLong();
        if (error != 0) {
            throw new AssertionError("error " + error + " to request type " + types[which]);
        }
        if (types[which] == READ) {
            byte[] data = in.readNBytes(length[which]);
            int end = at[which] + length[which];
            if (!Arrays.equals(data, 0, data.length, oracle, at[which], end)) {
                throw new AssertionError("READ at " + (partBytes + at[which]) + " differs");
            }
        }
    }

    /** In order; or in the middle of a write; or with replies unread; or just so. */
    private void leave(SocketChannel socket, DataInputStream in) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> {
                submit(WRITE, 0, 0, 3 * BLOCK_BYTES);
                request(DISC, 1, 0, 0);
                send(socket);
                in.skipNBytes(16);
                if (in.read() >= 0) {
                    throw new AssertionError("more than the replies after DISC");
                }
            }
            case 1 -> {
                request(WRITE, 0, 0, 64 * BLOCK_BYTES);
                out.write(new byte[random.nextInt(64 * BLOCK_BYTES)]);
                send(socket);
            }
            case 2 -> {
                if (socket.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                    socket.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                for (int i = 0; i < 20; i++) {
                    request(READ, i, 0, MOST_BLOCKS * BLOCK_BYTES);
                }
                send(socket);
            }
            default -> {
                // Nothing outstanding, nothing said.
            }
        }
    }
}
