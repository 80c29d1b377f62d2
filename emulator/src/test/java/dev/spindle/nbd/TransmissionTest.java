package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockStatus;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransmissionTest {
    private static final int SIZE = 1 << 20;
    private static final int EPERM = 1;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private final MemoryDevice device = new MemoryDevice(SIZE);

    /** The same script of everything, whole. */
    private static byte[] script() {
        return Wire.join(
                Wire.flags(3),
                Wire.option(99, new byte[9]),
                Wire.go("mem"),
                Wire.write(1, 4096, Wire.pattern(1, 1024)),
                Wire.request(Wire.READ, 0, 2, 4096, 1024),
                Wire.join(Wire.request(Wire.WRITE, 0, 3, SIZE, 512), new byte[512]),
                Wire.request(Wire.WRITE_ZEROES, Wire.NO_HOLE, 4, 4608, 512),
                Wire.request(99, 0, 5, 0, 512),
                Wire.request(Wire.READ, Wire.FUA, 6, 4096, 1024),
                Wire.request(Wire.FLUSH, 0, 7, 0, 0),
                Wire.request(Wire.DISC, 0, 8, 0, 0));
    }

    private static byte[] play(int cutAt, boolean direct) {
        MemoryDevice device = new MemoryDevice(SIZE);
        device.isDirect = direct;
        byte[] script = script();
        try (Conversation conversation = new Conversation(device)) {
            if (cutAt < 0) {
                for (byte one : script) {
                    conversation.send(new byte[] {one});
                }
            } else {
                conversation.send(Arrays.copyOf(script, cutAt));
                conversation.send(Arrays.copyOfRange(script, cutAt, script.length));
            }
            byte[] answer = conversation.received();
            assertThat(conversation.isOpen()).isFalse();
            return answer;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theAnswersAreTheSameWhereverTheBytesAreCut(boolean direct) {
        byte[] data = Wire.pattern(1, 1024);
        byte[] zeroed = Arrays.copyOf(Arrays.copyOf(data, 512), 1024);
        byte[] expected =
                Wire.join(
                        Wire.reply(0, 1),
                        Wire.reply(0, 2, data),
                        Wire.reply(ENOSPC, 3),
                        Wire.reply(0, 4),
                        Wire.reply(EINVAL, 5),
                        Wire.reply(0, 6, zeroed),
                        Wire.reply(0, 7));
        byte[] answer = play(-1, direct);
        byte[] tail = Arrays.copyOfRange(answer, answer.length - expected.length, answer.length);
        assertThat(HexFormat.of().formatHex(tail)).isEqualTo(HexFormat.of().formatHex(expected));
        String sorted = sorted(answer);
        for (int cut = 0; cut < script().length; cut++) {
            boolean isSame = sorted(play(cut, direct)).equals(sorted);
            assertThat(isSame).as("same answers when cut at %d", cut).isTrue();
        }
    }

    /** A refusal needs no device and may overtake, so only the sum of all replies is the same. */
    private static String sorted(byte[] bytes) {
        byte[] copy = bytes.clone();
        Arrays.sort(copy);
        return HexFormat.of().formatHex(copy);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "511", "16384", "16385", "98304", "300000"})
    void longReadsComeWholeFromManyRegions(int around) {
        int length = (around + 511) & ~511;
        System.arraycopy(Wire.pattern(7, SIZE), 0, device.contents, 0, SIZE);
        for (boolean direct : new boolean[] {true, false}) {
            device.isDirect = direct;
            try (Conversation conversation = Conversation.inTransmission(device)) {
                conversation.send(Wire.request(Wire.READ, 0, 9, 1024, length));
                byte[] data = Arrays.copyOfRange(device.contents, 1024, 1024 + length);
                assertThat(conversation.received()).isEqualTo(Wire.reply(0, 9, data));
                assertThat(conversation.counters.readBytes()).isEqualTo(length);
            }
        }
    }

    private void refuses(int error, byte[] request) {
        int calls = device.seen.size();
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(request, Wire.request(Wire.FLUSH, 0, 77, 0, 0));
            assertThat(conversation.received())
                    .isEqualTo(Wire.join(Wire.reply(error, 5), Wire.reply(0, 77)));
            assertThat(device.seen).hasSize(calls + 1);
            assertThat(conversation.counters.errorReplies()).isOne();
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1048576,512", "0,1048064,1024", "0,-512,512", "0,-512,1024", "4,1048064,1024"})
    void readOrTrimPastTheEndIsInvalid(int type, long offset, int length) {
        refuses(EINVAL, Wire.request(type, 0, 5, offset, length));
    }

    @ParameterizedTest
    @CsvSource({"1048576,512", "1048064,1024", "1048320,512", "-512,512", "-512,1024"})
    void writePastTheEndHasNoSpace(long offset, int length) {
        refuses(ENOSPC, Wire.write(5, offset, new byte[length]));
        refuses(ENOSPC, Wire.request(Wire.WRITE_ZEROES, 0, 5, offset, length));
    }

    @ParameterizedTest
    @CsvSource({"256,512", "0,256", "1,511"})
    void unalignedIsInvalid(long offset, int length) {
        refuses(EINVAL, Wire.request(Wire.READ, 0, 5, offset, length));
        refuses(EINVAL, Wire.write(5, offset, new byte[length]));
        refuses(EINVAL, Wire.request(Wire.TRIM, 0, 5, offset, length));
        refuses(EINVAL, Wire.request(Wire.WRITE_ZEROES, 0, 5, offset, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.BLOCK_STATUS, 8, 9, 0xffff})
    void anUnknownCommandIsInvalid(int type) {
        refuses(EINVAL, Wire.request(type, 0, 5, 0, 512));
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.NO_HOLE, 4, 8, 16, 32, 0x8000})
    void anUnknownOrMisplacedFlagIsInvalid(int flags) {
        refuses(EINVAL, Wire.request(Wire.READ, flags, 5, 0, 512));
        refuses(EINVAL, Wire.request(Wire.TRIM, flags, 5, 0, 512));
        refuses(EINVAL, Wire.request(Wire.FLUSH, flags, 5, 0, 0));
        byte[] write = Wire.join(Wire.request(Wire.WRITE, flags, 5, 0, 512), new byte[512]);
        refuses(EINVAL, write);
        if (flags != Wire.NO_HOLE && flags != 16) {
            refuses(EINVAL, Wire.request(Wire.WRITE_ZEROES, flags, 5, 0, 512));
        }
    }

    @Test
    void flushOfARangeIsInvalid() {
        refuses(EINVAL, Wire.request(Wire.FLUSH, 0, 5, 512, 0));
        refuses(EINVAL, Wire.request(Wire.FLUSH, 0, 5, 0, 512));
    }

    @Test
    void changingAReadOnlyDeviceIsNotPermitted() {
        device.isReadOnly = true;
        refuses(EPERM, Wire.write(5, 0, new byte[512]));
        refuses(EPERM, Wire.request(Wire.TRIM, 0, 5, 0, 512));
        refuses(EPERM, Wire.request(Wire.WRITE_ZEROES, 0, 5, 0, 512));
    }

    @Test
    void anOversizedReadOrWriteIsInvalid() {
        refuses(EINVAL, Wire.request(Wire.READ, 0, 5, 0, (32 << 20) + 512));
        refuses(EINVAL, Wire.write(5, 0, new byte[(32 << 20) + 512]));
    }

    @Test
    void aWriteTooLongToSkipEndsTheConnection() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.request(Wire.FLUSH, 0, 1, 0, 0),
                    Wire.request(Wire.WRITE, 0, 2, 0, (256 << 20) + 1));
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 1));
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.protocolErrors()).isOne();
        }
    }

    @Test
    void aWrongRequestMagicEndsTheConnection() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            byte[] bad = Wire.request(Wire.READ, 0, 1, 0, 512);
            bad[0] = 0;
            conversation.send(bad, Wire.request(Wire.READ, 0, 2, 0, 512));
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.received()).isEmpty();
            assertThat(conversation.counters.protocolErrors()).isOne();
            assertThat(device.seen).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.READ, Wire.WRITE, Wire.TRIM, Wire.WRITE_ZEROES})
    void nothingOfNothingIsDoneAtOnce(int type) {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(Wire.request(type, 0, 5, 0, 0));
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 5));
            assertThat(device.seen).isEmpty();
        }
    }

    @Test
    void forceUnitAccessIsAcceptedOnEveryCommandAndPassedOnWithWrites() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.request(Wire.READ, Wire.FUA, 1, 0, 512),
                    Wire.request(Wire.FLUSH, Wire.FUA, 2, 0, 0),
                    Wire.request(Wire.TRIM, Wire.FUA, 3, 0, 512),
                    Wire.request(Wire.WRITE_ZEROES, Wire.FUA | Wire.NO_HOLE, 4, 0, 512),
                    Wire.request(Wire.WRITE, Wire.FUA, 5, 0, 512),
                    new byte[512],
                    Wire.request(Wire.DISC, Wire.FUA, 6, 0, 0));
            assertThat(device.seen)
                    .containsExactly(
                            "READ offset=0 length=512",
                            "FLUSH offset=0 length=0",
                            "DISCARD offset=0 length=512 fua",
                            "WRITE_ZEROES offset=0 length=512 fua",
                            "WRITE offset=0 length=512 fua");
            assertThat(conversation.received()).hasSize(5 * 16 + 512);
        }
    }

    @Test
    void zeroesMayDeallocateUnlessNoHoleIsAsked() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.request(Wire.WRITE_ZEROES, 0, 1, 0, 512),
                    Wire.request(Wire.WRITE_ZEROES, Wire.NO_HOLE, 2, 0, 512));
            assertThat(device.held.getFirst().mayDeallocate()).isTrue();
            assertThat(device.held.getLast().mayDeallocate()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(BlockStatus.class)
    void aStatusOfTheDeviceBecomesItsError(BlockStatus status) {
        device.status = status;
        int error = NbdError.of(status).code();
        byte[] data = status == BlockStatus.OK ? new byte[512] : new byte[0];
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.request(Wire.READ, 0, 1, 0, 512), Wire.write(2, 0, new byte[512]));
            assertThat(conversation.received())
                    .isEqualTo(Wire.join(Wire.reply(error, 1, data), Wire.reply(error, 2)));
        }
    }

    @Test
    void aBatchIsRunOnceAndAnsweredInOneBuffer() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            byte[][] many = new byte[100][];
            for (int i = 0; i < many.length; i++) {
                many[i] = Wire.write(i, 512L * i, Wire.pattern(i, 512));
            }
            conversation.send(many);
            assertThat(device.runs).isOne();
            assertThat(conversation.channel.outboundMessages()).hasSize(1);
            assertThat(conversation.received()).hasSize(1600);
            assertThat(conversation.counters.writtenBytes()).isEqualTo(51_200);
            assertThat(conversation.counters.requests(NbdCommand.WRITE)).isEqualTo(100);
        }
    }
}
