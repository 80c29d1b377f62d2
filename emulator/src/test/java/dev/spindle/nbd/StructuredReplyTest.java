package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockStatus;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replies in chunks: data and holes, errors with words and places (proto.md, Structured replies).
 */
class StructuredReplyTest {
    private static final int SIZE = 1 << 20;
    private static final int PAGE = 4096;
    private static final int EIO = 5;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private static final int EOVERFLOW = 75;
    private static final int ENOTSUP = 95;
    private final MemoryDevice device = new MemoryDevice(SIZE);

    @BeforeEach
    void fill() {
        System.arraycopy(Wire.pattern(1, SIZE), 0, device.contents, 0, SIZE);
    }

    private byte[] contents(int offset, int length) {
        return Arrays.copyOfRange(device.contents, offset, offset + length);
    }

    private List<Chunk> answers(byte[]... requests) {
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(requests);
            return Chunk.readAll(conversation.received());
        }
    }

    private Chunk answer(byte[]... requests) {
        List<Chunk> all = answers(requests);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadOfDataIsOneChunk(boolean direct) {
        device.isDirect = direct;
        for (int length : new int[] {512, PAGE, 16 << 10, 300 << 10}) {
            try (Conversation conversation = Conversation.structured(device)) {
                conversation.send(Wire.request(Wire.READ, 0, 7, 1024, length));
                assertThat(conversation.received())
                        .isEqualTo(
                                Wire.chunk(
                                        true,
                                        Wire.OFFSET_DATA,
                                        7,
                                        Wire.data(1024, contents(1024, length))));
            }
        }
    }

    /** A device's own memory knows its holes; what was read into a buffer is looked at. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void holesAreToldAndNotSent(boolean direct) {
        device.isDirect = direct;
        device.punch(PAGE, 2 * PAGE);
        device.punch(8 * PAGE, 40 * PAGE);
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(Wire.request(Wire.READ, 0, 7, 512, 48 * PAGE - 512));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.join(
                                    Wire.chunk(
                                            false,
                                            Wire.OFFSET_DATA,
                                            7,
                                            Wire.data(512, contents(512, PAGE - 512))),
                                    Wire.chunk(
                                            false, Wire.OFFSET_HOLE, 7, Wire.hole(PAGE, 2 * PAGE)),
                                    Wire.chunk(
                                            false,
                                            Wire.OFFSET_DATA,
                                            7,
                                            Wire.data(3 * PAGE, contents(3 * PAGE, 5 * PAGE))),
                                    Wire.chunk(
                                            true,
                                            Wire.OFFSET_HOLE,
                                            7,
                                            Wire.hole(8 * PAGE, 40 * PAGE))));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dontFragmentSendsOnePieceZeroesAndAll(boolean direct) {
        device.isDirect = direct;
        device.punch(PAGE, PAGE);
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(Wire.request(Wire.READ, Wire.DF, 7, 0, 65_536));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.chunk(
                                    true, Wire.OFFSET_DATA, 7, Wire.data(0, contents(0, 65_536))));
        }
    }

    @Test
    void aReadOfNothingIsAChunkOfNothing() {
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(Wire.request(Wire.READ, 0, 7, 512, 0));
            assertThat(conversation.received()).isEqualTo(Wire.chunk(true, Wire.NONE, 7));
            assertThat(device.seen).isEmpty();
        }
    }

    @Test
    void whatBringsNoDataIsAnsweredInSixteenBytes() {
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(
                    Wire.write(1, 0, new byte[512]),
                    Wire.request(Wire.FLUSH, 0, 2, 0, 0),
                    Wire.request(Wire.TRIM, 0, 3, 0, 512),
                    Wire.request(Wire.CACHE, 0, 4, 0, 512));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.join(
                                    Wire.reply(0, 1),
                                    Wire.reply(0, 2),
                                    Wire.reply(0, 3),
                                    Wire.reply(0, 4)));
        }
    }

    @Test
    void aRefusalSaysWhyAndWhatTheLimitIs() {
        Chunk past = answer(Wire.request(Wire.READ, 0, 5, SIZE - 512, 1024));
        assertThat(past.type()).isEqualTo(Wire.ERROR);
        assertThat(past.error()).isEqualTo(EINVAL);
        assertThat(past.isLast()).isTrue();
        assertThat(past.text())
                .isEqualTo(
                        "READ flags=0x0 offset=1048064 length=1024:"
                                + " past the end of the device of 1048576 bytes");
        assertThat(answer(Wire.write(5, SIZE, new byte[512])).error()).isEqualTo(ENOSPC);
        assertThat(answer(Wire.request(Wire.TRIM, 0, 5, 100, 512)).text())
                .endsWith("not in whole blocks of 512 bytes");
    }

    @Test
    void aReadTooLongToBeOneIsAnOverflow() {
        assertThat(answer(Wire.request(Wire.READ, 0, 5, 0, (32 << 20) + 512)).error())
                .isEqualTo(EOVERFLOW);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBadSectorLeavesTheGoodDataBeforeIt(boolean direct) {
        device.isDirect = direct;
        device.badOffset = 5 * PAGE + 1536;
        device.punch(PAGE, PAGE);
        List<Chunk> all = answers(Wire.request(Wire.READ, 0, 5, PAGE, 8 * PAGE));
        assertThat(all)
                .extracting(Chunk::type)
                .containsExactly(Wire.OFFSET_HOLE, Wire.OFFSET_DATA, Wire.ERROR_OFFSET);
        assertThat(all.get(1).payload())
                .isEqualTo(Wire.data(2 * PAGE, contents(2 * PAGE, 3 * PAGE + 1536)));
        Chunk error = all.get(2);
        assertThat(error.error()).isEqualTo(EIO);
        assertThat(error.errorOffset()).isEqualTo(5 * PAGE + 1536);
        assertThat(error.isLast()).isTrue();
        assertThat(error.text())
                .isEqualTo("READ offset=4096 length=32768: input/output error at offset 22016");
    }

    @Test
    void withDontFragmentTooWhatWasGoodComesFirstInOnePiece() {
        device.badOffset = 5 * PAGE;
        device.punch(PAGE, PAGE);
        List<Chunk> all = answers(Wire.request(Wire.READ, Wire.DF, 5, 0, 8 * PAGE));
        assertThat(all)
                .extracting(Chunk::type)
                .containsExactly(Wire.OFFSET_DATA, Wire.ERROR_OFFSET);
    }

    @Test
    void aBadFirstSectorLeavesNothing() {
        device.badOffset = PAGE;
        Chunk error = answer(Wire.request(Wire.READ, 0, 5, PAGE, PAGE));
        assertThat(error.type()).isEqualTo(Wire.ERROR_OFFSET);
        assertThat(error.errorOffset()).isEqualTo(PAGE);
    }

    @Test
    void aWriteThatFailsSaysWhere() {
        device.badOffset = PAGE;
        Chunk error = answer(Wire.write(5, 0, new byte[2 * PAGE]));
        assertThat(error.type()).isEqualTo(Wire.ERROR_OFFSET);
        assertThat(error.errorOffset()).isEqualTo(PAGE);
    }

    @Test
    void aFailureWithoutAPlaceHasNoOffset() {
        device.status = BlockStatus.IO_ERROR;
        Chunk error = answer(Wire.request(Wire.READ, 0, 5, 0, PAGE));
        assertThat(error.type()).isEqualTo(Wire.ERROR);
        assertThat(error.error()).isEqualTo(EIO);
    }

    @Test
    void cacheReadsOnTheDriveAndSendsNothing() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(Wire.request(Wire.CACHE, 0, 4, 4096, 8192));
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 4));
            assertThat(device.seen).containsExactly("READ offset=4096 length=8192");
        }
        assertThat(answer(Wire.request(Wire.CACHE, 0, 5, SIZE, 512)).error()).isEqualTo(EINVAL);
        assertThat(answer(Wire.request(Wire.CACHE, Wire.DF, 5, 0, 512)).error()).isEqualTo(EINVAL);
    }

    @Test
    void fastZeroIsDoneWhereItIsFastAndElseNotSupportedAndNothingIsChanged() {
        byte[] fast = Wire.request(Wire.WRITE_ZEROES, Wire.FAST_ZERO, 5, 0, PAGE);
        byte[] kept = contents(0, PAGE);
        assertThat(answer(fast).error()).isEqualTo(ENOTSUP);
        device.zeroesFast = true;
        assertThat(
                        answer(
                                        Wire.request(
                                                Wire.WRITE_ZEROES,
                                                Wire.FAST_ZERO | Wire.NO_HOLE,
                                                5,
                                                0,
                                                PAGE))
                                .error())
                .isEqualTo(ENOTSUP);
        assertThat(contents(0, PAGE)).isEqualTo(kept);
        assertThat(answer(fast).error()).isZero();
        assertThat(contents(0, PAGE)).isEqualTo(new byte[PAGE]);
    }

    @Test
    void aBatchOfChunksLeavesInOneBuffer() {
        device.isDirect = true;
        device.punch(24 << 10, 64 << 10);
        try (Conversation conversation = Conversation.structured(device)) {
            byte[][] many = new byte[24][];
            for (int i = 0; i < many.length; i++) {
                many[i] = Wire.request(Wire.READ, 0, i, 2048L * i, 2048);
            }
            conversation.send(many);
            assertThat(device.runs).isOne();
            assertThat(conversation.channel.outboundMessages()).hasSize(1);
            assertThat(conversation.received()).hasSize(12 * (28 + 2048) + 12 * 32);
        }
    }
}
