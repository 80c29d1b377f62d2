package dev.spindle.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.BlockStatus;
import dev.spindle.queue.BioStep;
import dev.spindle.queue.PlugStep;
import dev.spindle.queue.Submitter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Records, byte by byte (linux/blktrace_api.h). */
class BlkTraceEncoderTest {
    private static final TraceDevice SDB = new TraceDevice(8, 16);

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Submitter submitter = new Submitter("a name of more than 15", () -> {});

    private BlkTraceEncoder encoder(ByteOrder order) {
        submitter.numbered(7);
        RecordSink sink =
                record -> {
                    while (record.hasRemaining()) {
                        written.write(record.get());
                    }
                    return true;
                };
        return new BlkTraceEncoder(SDB, sink, new TraceClock(), order);
    }

    private static BlockRequest request(BlockOperation operation, long offset, long length) {
        return new BlockRequest((_, _) -> {}).prepare(operation, offset, length, 0);
    }

    private void assertWritten(String... hex) {
        assertThat(HexFormat.of().formatHex(written.toByteArray()))
                .isEqualTo(String.join("", hex).replace(" ", ""));
        written.reset();
    }

    private void queue(BlkTraceEncoder encoder, BlockRequest request) {
        encoder.bio(
                BioStep.QUEUED,
                request,
                request.offsetBytes(),
                request.lengthBytes(),
                submitter,
                0x1122334455L);
    }

    @Test
    void aRequestIsNamedThenQueued() {
        BlkTraceEncoder encoder = encoder(ByteOrder.LITTLE_ENDIAN);
        queue(encoder, request(BlockOperation.READ, 0x200L << 9, 4096));
        assertWritten(
                // magic, sequence, time, sector
                "07746165 00000000 5544332211000000 0000000000000000",
                // bytes, action: notify process, pid, device 8,16, cpu, error, pdu_len
                "00000000 00000004 07000000 10008000 00000000 0000 1000",
                "61206e616d65206f66206d6f72652000",
                "07746165 01000000 5544332211000000 0002000000000000",
                "00100000 01001100 07000000 10008000 00000000 0000 0000");
        queue(encoder, request(BlockOperation.WRITE, 0, 512).withFua(true));
        assertWritten(
                "07746165 02000000 5544332211000000 0000000000000000",
                "00020000 01001a80 07000000 10008000 00000000 0000 0000");
    }

    @Test
    void theSameBigEndian() {
        BlkTraceEncoder encoder = encoder(ByteOrder.BIG_ENDIAN);
        queue(encoder, request(BlockOperation.DISCARD, 0x200L << 9, 4096));
        assertWritten(
                "65617407 00000000 0000001122334455 0000000000000000",
                "00000000 04000000 00000007 00800010 00000000 0000 0010",
                "61206e616d65206f66206d6f72652000",
                "65617407 00000001 0000001122334455 0000000000000200",
                "00001000 20120001 00000007 00800010 00000000 0000 0000");
    }

    @Test
    void unplugsAndSplitsCarryABigEndianNumber() {
        BlkTraceEncoder encoder = encoder(ByteOrder.LITTLE_ENDIAN);
        encoder.plug(PlugStep.PLUGGED, 0, 7, 1);
        assertWritten(
                "07746165 01000000 0100000000000000 0000000000000000",
                "00000000 09001000 07000000 10008000 00000000 0000 0000");
        encoder.plug(PlugStep.UNPLUGGED, 4, 7, 2);
        assertWritten(
                "07746165 02000000 0200000000000000 0000000000000000",
                "00000000 0a001000 07000000 10008000 00000000 0000 0800",
                "0000000000000004");
        BlockRequest request = request(BlockOperation.READ, 0, 1 << 20);
        queue(encoder, request);
        written.reset();
        encoder.bio(BioStep.SPLIT, request, 0, 128 << 10, submitter, 0x1122334455L);
        assertWritten(
                "07746165 04000000 5544332211000000 0000000000000000",
                "00000200 0d000100 07000000 10008000 00000000 0000 0800",
                "0000000000000100");
    }

    @Test
    void aTimerIsNobodyAndHasAName() {
        encoder(ByteOrder.LITTLE_ENDIAN).plug(PlugStep.UNPLUGGED_BY_TIMER, 1, 0, 3);
        assertWritten(
                "07746165 00000000 0300000000000000 0000000000000000",
                "00000000 00000004 00000000 10008000 00000000 0000 1000",
                "7370696e646c65000000000000000000",
                "07746165 01000000 0300000000000000 0000000000000000",
                "00000000 0b001000 00000000 10008000 00000000 0000 0800",
                "0000000000000001");
    }

    @Test
    void anErrorIsANegativeNumberAsTheKernelWritesIt() {
        BlkTraceEncoder encoder = encoder(ByteOrder.LITTLE_ENDIAN);
        BlockRequest request = request(BlockOperation.READ, 0, 512).withReadAhead(true);
        queue(encoder, request);
        written.reset();
        request.cutShort(BlockStatus.WOULD_BLOCK);
        encoder.bio(BioStep.ENDED, request, 0, 512, submitter, 0x1122334455L);
        assertWritten(
                "07746165 02000000 5544332211000000 0000000000000000",
                "00020000 08008108 07000000 10008000 00000000 f5ff 0000");
    }

    @Test
    void timesNeverGoBack() {
        BlkTraceEncoder encoder = encoder(ByteOrder.LITTLE_ENDIAN);
        encoder.plug(PlugStep.PLUGGED, 0, 7, 9);
        written.reset();
        encoder.plug(PlugStep.PLUGGED, 0, 7, 8);
        assertThat(written.toByteArray()[8]).isEqualTo((byte) 9);
    }
}
