package dev.spindle.nbd;

import dev.spindle.block.QueueLimits;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.OwningLoop;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.StoreView;
import dev.spindle.time.DeviceClock;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import dev.spindle.time.VirtualClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The laptop disk behind its queue, with clients that have no socket, in virtual time on the test's
 * thread: the drive takes as long as it does, everything else takes none.
 */
final class MechanicalServer implements AutoCloseable {
    static final long CAPACITY_BYTES = 1L << 30;

    private static final int RING_SLOTS = 1024;
    private final VirtualClock clock = new VirtualClock();
    private final VirtualLoop loop = new VirtualLoop();
    private final List<Client> clients = new ArrayList<>();
    private final QueuedDevice device;
    private final SharedMemory memory = new SharedMemory(NbdLimits.DEFAULTS.memoryBytes());

    MechanicalServer(QueueSettings settings) {
        DataMover mover = DataMover.inline(new VoidStore(CAPACITY_BYTES));
        IdeDisk disk = new IdeDisk(Disks.laptop(), CAPACITY_BYTES, mover);
        QueueLimits limits = new QueueLimits(512, 4096, 32768, 128);
        device =
                new QueuedDevice(
                        new DeviceIdentity("hda", "", CAPACITY_BYTES, limits, false, true),
                        new RequestQueue(settings, disk, new Counters()),
                        RING_SLOTS,
                        new ScaledClock(clock, TimeScale.REAL),
                        loop,
                        StoreView.opaque());
    }

    long nowNs() {
        return clock.nowNs();
    }

    /** One that reads 4 KiB here and there, so many at a time. */
    Client client(long seed, int depth) {
        Client client = new Client(seed, depth);
        clients.add(client);
        client.begin();
        return client;
    }

    /** On to the drive's next deadline, and all that follows from it. */
    void step() {
        if (loop.deadlineNs == DeviceClock.NEVER) {
            throw new AssertionError("nothing is due, yet clients wait");
        }
        moveDrive();
        // Every answer asks for the next request, so twice is enough for all to be said and heard.
        for (int i = 0; i < 2; i++) {
            clients.forEach(Client::talk);
        }
    }

    private void moveDrive() {
        clock.advanceTo(Math.max(loop.deadlineNs, clock.nowNs()));
        loop.deadlineNs = DeviceClock.NEVER;
        loop.task.run();
    }

    /** Clients hang up; the drive ends what it has of theirs, so that all buffers come back. */
    @Override
    public void close() {
        clients.forEach(client -> client.channel.finishAndReleaseAll());
        while (loop.deadlineNs != DeviceClock.NEVER) {
            moveDrive();
            clients.forEach(client -> client.channel.runPendingTasks());
        }
    }

    private static final class VirtualLoop implements OwningLoop {
        private long deadlineNs = DeviceClock.NEVER;
        private Runnable task = () -> {};

        @Override
        public void execute(Runnable now) {
            now.run();
        }

        @Override
        public boolean isInside() {
            return true;
        }

        @Override
        public void runAt(long newDeadlineNs, Runnable newTask) {
            deadlineNs = newDeadlineNs;
            task = newTask;
        }
    }

    /** A connection and its client, which asks anew as soon as it is answered. */
    final class Client {
        private static final int LENGTH_BYTES = 4096;
        private static final int REPLY_BYTES = 16 + LENGTH_BYTES;

        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final SplittableRandom random;
        private final int depth;
        private long sent;
        private long receivedBytes;

        private Client(long seed, int depth) {
            random = new SplittableRandom(seed);
            this.depth = depth;
        }

        private void begin() {
            Connections connections = new Connections();
            connections.add(channel);
            Exports exports =
                    Exports.of(List.of(new Export("hda", "", device, channel.eventLoop())));
            ServerScope scope =
                    new ServerScope(
                            exports, NbdLimits.DEFAULTS, new NbdCounters(), connections, memory);
            channel.pipeline().addLast(new Handshake(scope, new ReceiveBuffers()));
            channel.pipeline().fireChannelActive();
            channel.writeInbound(Unpooled.wrappedBuffer(Wire.flags(3), Wire.go("hda")));
            receive();
            receivedBytes = 0;
            talk();
        }

        long answered() {
            return receivedBytes / REPLY_BYTES;
        }

        private void talk() {
            channel.runPendingTasks();
            receive();
            while (sent - answered() < depth) {
                long at = random.nextLong(CAPACITY_BYTES / LENGTH_BYTES) * LENGTH_BYTES;
                byte[] read = Wire.request(Wire.READ, 0, sent, at, LENGTH_BYTES);
                sent++;
                channel.writeInbound(Unpooled.wrappedBuffer(read));
            }
            channel.runPendingTasks();
            receive();
        }

        private void receive() {
            ByteBuf message = channel.readOutbound();
            while (message != null) {
                receivedBytes += message.readableBytes();
                message.release();
                message = channel.readOutbound();
            }
        }
    }
}
