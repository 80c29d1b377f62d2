package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One connection with no socket: bytes in, bytes out, on the calling thread. Closing it checks that
 * every buffer the server took has been given back.
 */
final class Conversation implements AutoCloseable {
    private static final long STEP_MS = 500;

    final MemoryDevice device;
    final NbdCounters counters = new NbdCounters();
    final Connections connections = new Connections();
    final EmbeddedChannel channel = new EmbeddedChannel();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    Conversation(MemoryDevice device) {
        this(device, NbdLimits.DEFAULTS);
    }

    Conversation(MemoryDevice device, NbdLimits limits) {
        this(device, limits, new SharedMemory(limits.memoryBytes()));
    }

    Conversation(MemoryDevice device, NbdLimits limits, SharedMemory memory) {
        this(device, limits, memory, new StartTls(TlsMode.OFF, null));
    }

    Conversation(MemoryDevice device, NbdLimits limits, SharedMemory memory, StartTls startTls) {
        this.device = device;
        Export export = new Export("mem", "a memory", device, channel.eventLoop());
        Export other = new Export("other", "", device, channel.eventLoop());
        Exports exports = Exports.of(List.of(export, other));
        channel.config().setAllocator(allocator);
        channel.config().setWriteBufferHighWaterMark(limits.writeHighWaterBytes());
        connections.add(channel);
        ServerScope scope = new ServerScope(exports, limits, counters, connections, memory);
        channel.pipeline().addLast(new Handshake(scope, new ReceiveBuffers(), startTls));
        channel.pipeline().fireChannelActive();
    }

    /** Past the handshake, with everything sent so far read. */
    static Conversation inTransmission(MemoryDevice device) {
        return inTransmission(device, NbdLimits.DEFAULTS);
    }

    static Conversation inTransmission(MemoryDevice device, NbdLimits limits) {
        return inTransmission(device, limits, new SharedMemory(limits.memoryBytes()));
    }

    static Conversation inTransmission(MemoryDevice device, NbdLimits limits, SharedMemory memory) {
        Conversation conversation = new Conversation(device, limits, memory);
        conversation.send(Wire.flags(3), Wire.go("mem"));
        assertThat(conversation.received()).isNotEmpty();
        return conversation;
    }

    /** Past a handshake with these options before GO of "mem". */
    static Conversation agreed(MemoryDevice device, byte[]... options) {
        Conversation conversation = new Conversation(device);
        conversation.send(Wire.flags(3), Wire.join(options), Wire.go("mem"));
        assertThat(conversation.received()).isNotEmpty();
        return conversation;
    }

    static Conversation structured(MemoryDevice device) {
        return agreed(device, Wire.structuredReply(), Wire.setAllocation("mem"));
    }

    static Conversation extended(MemoryDevice device) {
        return agreed(device, Wire.extendedHeaders(), Wire.setAllocation("mem"));
    }

    void send(byte[]... parts) {
        ByteBuf bytes = allocator.directBuffer();
        bytes.writeBytes(Wire.join(parts));
        channel.writeInbound(bytes);
    }

    /** What a device that holds requests does at its own time. */
    void release() {
        device.release();
        channel.runPendingTasks();
    }

    /** In steps, as what is due is done only after each. */
    void advanceMs(long ms) {
        long left = ms;
        do {
            channel.advanceTimeBy(Math.min(left, STEP_MS), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
            left -= STEP_MS;
        } while (left > 0);
    }

    /** All the server has sent since the last call. */
    byte[] received() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuf message = channel.readOutbound();
        while (message != null) {
            byte[] bytes = new byte[message.readableBytes()];
            message.readBytes(bytes);
            all.writeBytes(bytes);
            message.release();
            message = channel.readOutbound();
        }
        return all.toByteArray();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
        release();
        assertThat(allocator.metric().usedDirectMemory()).as("leaked direct bytes").isZero();
        assertThat(allocator.metric().usedHeapMemory()).as("leaked heap bytes").isZero();
        assertThat(connections.count()).as("connections left").isZero();
        assertThat(counters.connectionsClosed()).isOne();
    }
}
