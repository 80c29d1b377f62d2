package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Objects;
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

/** Replies to a batch of 32, up to the flush of their bytes. */
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
public class EncoderBenchmark {
    private static final int LENGTH_BYTES = 512;

    /** Which encoder. */
    @Param({"SIMPLE", "STRUCTURED", "EXTENDED"})
    public String replies = "SIMPLE";

    private final Drain drain = new Drain();
    private final KeepingTaker taker = new KeepingTaker();
    private ReplyEncoder encoder = Terms.PLAIN.encoder();
    private ReplyBatch batch = newBatch(drain.channel());

    private static ReplyBatch newBatch(EmbeddedChannel channel) {
        ChannelInboundHandlerAdapter place = new ChannelInboundHandlerAdapter();
        channel.pipeline().addLast(place);
        ChannelHandlerContext context = Objects.requireNonNull(channel.pipeline().context(place));
        return new ReplyBatch(context, null);
    }

    /** READs whose data has come: no zeroes among it, so it is one chunk each. */
    @Setup
    public void begin() {
        encoder = new Terms(Terms.Replies.valueOf(replies), false).encoder();
        RequestDecoder decoder =
                new RequestDecoder(
                        taker,
                        1 << 20,
                        false,
                        new ReceiveBuffers(),
                        PooledByteBufAllocator.DEFAULT,
                        new NbdCounters());
        decoder.add(ClientBytes.batch(ClientBytes.READ, false, LENGTH_BYTES));
        decoder.decode();
        for (NbdRequest request : taker.requests) {
            ByteBuf data = PooledByteBufAllocator.DEFAULT.directBuffer(LENGTH_BYTES, LENGTH_BYTES);
            while (data.isWritable()) {
                data.writeByte(7);
            }
            request.hold(data, data.nioBuffer(0, LENGTH_BYTES), 0);
        }
    }

    /** With 512 bytes each. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public long readReplies() {
        for (int i = 0; i < ClientBytes.BATCH; i++) {
            encoder.data(batch, taker.requests.get(i));
        }
        batch.flush();
        return drain.bytes();
    }

    /** With nothing but a header. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public long writeReplies() {
        for (int i = 0; i < ClientBytes.BATCH; i++) {
            encoder.done(batch, NbdCommand.WRITE, i, 0);
        }
        batch.flush();
        return drain.bytes();
    }
}
