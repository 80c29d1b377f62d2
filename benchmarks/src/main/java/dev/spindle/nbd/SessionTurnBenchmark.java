package dev.spindle.nbd;

import dev.spindle.media.MemoryStore;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A turn of a whole session: 32 requests of 4 KiB in, done by a device at once, replies out. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED"
        })
public class SessionTurnBenchmark {
    private static final int LENGTH_BYTES = 4096;

    /** Agreed on in the handshake. */
    @Param({"SIMPLE", "STRUCTURED", "EXTENDED"})
    public String replies = "SIMPLE";

    /** Where READs find their data: in the store's own memory, or in a buffer of the session's. */
    @Param({"true", "false"})
    public boolean isDirect;

    private final Drain drain = new Drain();
    private EmbeddedChannel channel = new EmbeddedChannel();
    private ByteBuf reads = ClientBytes.batch(ClientBytes.READ, false, 512);
    private ByteBuf writes = reads;

    /** Past the handshake. */
    @Setup
    public void begin() throws IOException {
        channel = drain.channel();
        Terms.Replies wanted = Terms.Replies.valueOf(replies);
        boolean isExtended = wanted == Terms.Replies.EXTENDED;
        reads = ClientBytes.batch(ClientBytes.READ, isExtended, LENGTH_BYTES);
        writes = ClientBytes.batch(ClientBytes.WRITE, isExtended, LENGTH_BYTES);
        NbdLimits limits = NbdLimits.DEFAULTS;
        Connections connections = new Connections();
        connections.add(channel);
        Export export =
                new Export(
                        "instant",
                        "",
                        new InstantDevice(isDirect ? filledStore() : null),
                        channel.eventLoop());
        ServerScope scope =
                new ServerScope(
                        Exports.of(List.of(export)),
                        limits,
                        new NbdCounters(),
                        connections,
                        new SharedMemory(limits.memoryBytes()));
        channel.pipeline().addLast(new Handshake(scope, new ReceiveBuffers()));
        channel.pipeline().fireChannelActive();
        channel.writeInbound(ClientBytes.handshake(wanted, "instant"));
        channel.runPendingTasks();
        if (channel.pipeline().get(NbdSession.class) == null) {
            throw new IllegalStateException("the handshake has failed");
        }
    }

    private static MemoryStore filledStore() throws IOException {
        MemoryStore store = new MemoryStore(1 << 20);
        byte[] data = new byte[ClientBytes.BATCH * LENGTH_BYTES];
        Arrays.fill(data, (byte) 7);
        store.write(0, ByteBuffer.wrap(data), 0, data.length);
        return store;
    }

    private long turn(ByteBuf requests) {
        requests.readerIndex(0);
        channel.pipeline().fireChannelRead(requests.retain());
        channel.pipeline().fireChannelReadComplete();
        return drain.bytes();
    }

    /** Their data is copied to the reply. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public long read4k() {
        return turn(reads);
    }

    /** Their data stays in the receive buffer. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public long write4k() {
        return turn(writes);
    }
}
