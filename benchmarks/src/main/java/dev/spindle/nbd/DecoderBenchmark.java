package dev.spindle.nbd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
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

/** Requests made of the bytes of a batch of 32, for a taker that does nothing with them. */
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
public class DecoderBenchmark {
    private static final int LENGTH_BYTES = 512;

    /** Headers of 32 bytes instead of 28. */
    @Param({"false", "true"})
    public boolean isExtended;

    private final KeepingTaker taker = new KeepingTaker();
    private RequestDecoder decoder = newDecoder();
    private ByteBuf reads = ClientBytes.batch(ClientBytes.READ, false, LENGTH_BYTES);
    private ByteBuf writes = reads;

    /** What the parameter says. */
    @Setup
    public void begin() {
        decoder = newDecoder();
        taker.decoder = decoder;
        reads = ClientBytes.batch(ClientBytes.READ, isExtended, LENGTH_BYTES);
        writes = ClientBytes.batch(ClientBytes.WRITE, isExtended, LENGTH_BYTES);
    }

    private RequestDecoder newDecoder() {
        return new RequestDecoder(
                taker,
                1 << 20,
                isExtended,
                new ReceiveBuffers(),
                PooledByteBufAllocator.DEFAULT,
                new NbdCounters());
    }

    private int decode(ByteBuf requests) {
        taker.taken = 0;
        requests.readerIndex(0);
        decoder.add(requests.retain());
        decoder.decode();
        if (taker.taken != ClientBytes.BATCH) {
            throw new IllegalStateException(taker.taken + " requests taken");
        }
        return taker.taken;
    }

    /** Headers alone. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public int reads() {
        return decode(reads);
    }

    /** Each with 512 bytes of data, left where they are. */
    @Benchmark
    @OperationsPerInvocation(ClientBytes.BATCH)
    public int writes() {
        return decode(writes);
    }
}
