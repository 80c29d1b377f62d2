package dev.spindle.testbench;

import dev.spindle.testbench.NbdClient.Replies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;

/**
 * One client after the other, all of one seed, on a part of the device that is theirs alone. Each
 * agrees on things, does things and leaves in a random way; a byte array says what their part must
 * hold.
 */
final class SoakClient {
    static final int PART_BYTES = 4 << 20;

    private static final String EXPORT = "disk";
    private static final int BLOCK_BYTES = 4096;
    private static final int MOST_BLOCKS = 32;
    private static final int BATCH = 16;
    private static final int MOST_BATCHES = 20;
    private static final List<Replies> REPLIES = List.of(Replies.values());
    private static final int[] TYPES = {
        NbdClient.READ,
        NbdClient.WRITE,
        NbdClient.READ,
        NbdClient.WRITE,
        NbdClient.WRITE_ZEROES,
        NbdClient.FLUSH,
        NbdClient.BLOCK_STATUS
    };

    /** Longer than the server takes; it is read past and refused. */
    private static final int OVERSIZED_OPTION_BYTES = 100 << 10;

    private final SplittableRandom random;
    private final SSLContext tls;
    private final SocketAddress[] addresses;
    private final long partBytes;
    private final byte[] oracle = new byte[PART_BYTES];
    private long requests;
    private long connections;

    /** {@code part} is which part of the device is theirs; TLS is for TCP. */
    SoakClient(long seed, int part, SSLContext tls, SocketAddress... addresses) {
        random = new SplittableRandom(seed + part);
        this.tls = tls;
        this.addresses = addresses;
        partBytes = (long) part * PART_BYTES;
    }

    long requests() {
        return requests;
    }

    long connections() {
        return connections;
    }

    /** A connection from its beginning to its end. */
    void live() throws IOException {
        SocketAddress address = addresses[random.nextInt(addresses.length)];
        connections++;
        try (NbdClient client = NbdClient.greeted(address)) {
            Replies replies = REPLIES.get(random.nextInt(REPLIES.size()));
            boolean isEncrypted = address instanceof InetSocketAddress && random.nextInt(3) == 0;
            if (!handshake(client, replies, isEncrypted)) {
                return;
            }
            int batches = random.nextInt(MOST_BATCHES);
            for (int i = 0; i < batches; i++) {
                batch(client, replies);
            }
            leave(client);
        }
    }

    /** Random options, then one that begins the transmission; false if it left before. */
    private boolean handshake(NbdClient client, Replies replies, boolean isEncrypted)
            throws IOException {
        if (random.nextInt(20) == 0) {
            return false;
        }
        randomOptions(client);
        if (isEncrypted) {
            client.startTls(tls);
            randomOptions(client);
        }
        client.choose(replies, EXPORT);
        if (random.nextInt(20) == 0) {
            client.raw().writeLong(0x49484156454F5054L); // and no more of it
            client.flush();
            return false;
        }
        if (random.nextBoolean() && replies != Replies.EXTENDED) {
            client.useByName(EXPORT);
        } else {
            client.go(EXPORT);
        }
        return true;
    }

    private void randomOptions(NbdClient client) throws IOException {
        int options = random.nextInt(5);
        for (int i = 0; i < options; i++) {
            switch (random.nextInt(5)) {
                case 0 -> client.option(3, new byte[0]);
                case 1 -> client.option(4000 + random.nextInt(1000), noise(100));
                case 2 -> client.option(NbdClient.OPT_INFO, NbdClient.infoQuery(EXPORT));
                case 3 -> client.option(9 + random.nextInt(2), noise(40)); // meta contexts
                default -> client.option(NbdClient.OPT_INFO, noise(OVERSIZED_OPTION_BYTES));
            }
        }
    }

    private byte[] noise(int mostBytes) {
        byte[] data = new byte[random.nextInt(mostBytes)];
        random.nextBytes(data);
        return data;
    }

    /**
     * Some requests at once, none of which meets another: each is within a stripe of its own. Their
     * replies may come in any order.
     */
    private void batch(NbdClient client, Replies replies) throws IOException {
        int count = 1 + random.nextInt(BATCH);
        int stripe = PART_BYTES / count / BLOCK_BYTES;
        for (int i = 0; i < count; i++) {
            int blocks = 1 + random.nextInt(MOST_BLOCKS);
            int at = (i * stripe + random.nextInt(stripe - blocks)) * BLOCK_BYTES;
            // Without structured replies there are no contexts to ask for.
            int type = TYPES[random.nextInt(TYPES.length - (replies == Replies.SIMPLE ? 1 : 0))];
            submit(client, type, i, at, blocks * BLOCK_BYTES);
        }
        client.flush();
        for (int i = 0; i < count; i++) {
            check(client.readReply());
        }
    }

    /** Writes are in the oracle at once: nobody leaves before they are answered. */
    private void submit(NbdClient client, int type, int cookie, int at, int length)
            throws IOException {
        boolean isFlagged = random.nextInt(4) == 0;
        int flags =
                switch (type) {
                    case NbdClient.WRITE -> isFlagged ? NbdClient.FUA : 0;
                    default -> 0;
                };
        requests++;
        if (type == NbdClient.FLUSH) {
            client.request(type, flags, cookie, 0, 0);
            return;
        }
        client.request(type, flags, cookie, partBytes + at, length);
        if (type == NbdClient.WRITE) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            client.raw().write(data);
            System.arraycopy(data, 0, oracle, at, length);
        } else if (type == NbdClient.WRITE_ZEROES) {
            Arrays.fill(oracle, at, at + length, (byte) 0);
        }
    }

    private void check(NbdClient.Reply reply) {
        reply.mustBeGood();
        int at = (int) (reply.offset() - partBytes);
        switch (reply.type()) {
            case NbdClient.READ -> {
                byte[] data = reply.data();
                if (!Arrays.equals(data, 0, data.length, oracle, at, at + data.length)) {
                    throw new AssertionError("the data of " + reply + " differs");
                }
            }
            case NbdClient.BLOCK_STATUS -> checkHoles(reply, at);
            default -> {}
        }
    }

    /** What is said to be a hole must read as zeroes; of data nothing is known. */
    private void checkHoles(NbdClient.Reply reply, int from) {
        long at = from;
        long[] extents = reply.extents();
        for (int i = 0; i < extents.length; i += 2) {
            long end = Math.min(at + extents[i], from + reply.length());
            for (long j = at; extents[i + 1] != 0 && j < end; j++) {
                if (oracle[(int) j] != 0) {
                    throw new AssertionError("data in a hole: " + reply);
                }
            }
            at = end;
        }
    }

    /** In order; or in the middle of a write; or with replies unread; or just so. */
    private void leave(NbdClient client) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> {
                submit(client, NbdClient.WRITE, 0, 0, 3 * BLOCK_BYTES);
                client.header(NbdClient.DISC, 0, 1, 0, 0);
                client.flush();
                check(client.readReply());
                client.awaitEnd();
            }
            case 1 -> {
                client.header(NbdClient.WRITE, 0, 0, partBytes, 64 * BLOCK_BYTES);
                client.raw().write(new byte[random.nextInt(64 * BLOCK_BYTES)]);
                client.flush();
            }
            case 2 -> {
                for (int i = 0; i < 20; i++) {
                    client.header(NbdClient.READ, 0, i, partBytes, MOST_BLOCKS * BLOCK_BYTES);
                }
                client.flush();
                client.closeHard();
            }
            default -> {
                // Nothing outstanding, nothing said.
            }
        }
    }
}
