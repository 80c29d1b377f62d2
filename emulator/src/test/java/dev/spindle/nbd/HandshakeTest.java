package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static final int FLAGS = 1 | 4 | 8 | 32 | 64 | 256 | 1024 | 2048;
    private final MemoryDevice device = new MemoryDevice(1 << 20);

    private static byte[] exportInfo(int size, int flags) {
        byte[] data = new byte[12];
        Unpooled.wrappedBuffer(data).setShort(0, 0).setLong(2, size).setShort(10, flags);
        return data;
    }

    private static byte[] blockSizes(int min, int preferred, int max) {
        byte[] data = new byte[14];
        Unpooled.wrappedBuffer(data)
                .setShort(0, 3)
                .setInt(2, min)
                .setInt(6, preferred)
                .setInt(10, max);
        return data;
    }

    private static byte[] infoText(int type, String text) {
        return Wire.join(new byte[] {0, (byte) type}, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends it after the flags and returns what came behind the greeting. */
    private static byte[] answerTo(Conversation conversation, byte[]... parts) {
        conversation.send(Wire.flags(3), Wire.join(parts));
        byte[] all = conversation.received();
        assertThat(all).startsWith(Wire.greeting());
        return java.util.Arrays.copyOfRange(all, 18, all.length);
    }

    /** Type of each option reply in turn. */
    private static List<Integer> types(byte[] replies) {
        var in = Unpooled.wrappedBuffer(replies);
        List<Integer> types = new ArrayList<>();
        while (in.isReadable()) {
            assertThat(in.readLong()).isEqualTo(0x3e889045565a9L);
            in.skipBytes(4);
            types.add(in.readInt());
            in.skipBytes(in.readInt());
        }
        return types;
    }

    /** Refused with that error, and a LIST behind it is understood. */
    private void refuses(int error, byte[] option) {
        try (Conversation conversation = new Conversation(device)) {
            byte[] answer = answerTo(conversation, option, Wire.option(3, new byte[0]));
            assertThat(types(answer)).containsExactly(error, 2, 2, 1);
            assertThat(conversation.isOpen()).isTrue();
            assertThat(conversation.counters.protocolErrors()).isZero();
        }
    }

    @Test
    void goTellsSizeFlagsAndBlockSizes() {
        try (Conversation conversation = new Conversation(device)) {
            assertThat(answerTo(conversation, Wire.go("mem")))
                    .isEqualTo(
                            Wire.join(
                                    Wire.optionReply(7, 3, exportInfo(1 << 20, FLAGS)),
                                    Wire.optionReply(7, 3, blockSizes(512, 32768, 32 << 20)),
                                    Wire.optionReply(7, 1)));
        }
    }

    @Test
    void infoAnswersAsGoDoesAndTransmissionDoesNotBegin() {
        byte[] data = Wire.infoData("mem", 0, 1, 2, 3);
        try (Conversation conversation = new Conversation(device)) {
            byte[] info = answerTo(conversation, Wire.option(6, data));
            conversation.send(Wire.option(7, data));
            byte[] go = conversation.received();
            for (int at = 11; at < go.length; at++) {
                if (info[at] == 6 && go[at] == 7) {
                    info[at] = 7;
                }
            }
            assertThat(info).isEqualTo(go);
        }
    }

    @Test
    void nameAndDescriptionAreToldWhenAskedForAndOnce() {
        try (Conversation conversation = new Conversation(device)) {
            byte[] answer =
                    answerTo(conversation, Wire.option(7, Wire.infoData("", 1, 2, 2, 99, 1)));
            assertThat(answer)
                    .endsWith(
                            Wire.join(
                                    Wire.optionReply(7, 3, infoText(1, "mem")),
                                    Wire.optionReply(7, 3, infoText(2, "a memory")),
                                    Wire.optionReply(7, 1)));
            assertThat(types(answer)).containsExactly(3, 3, 3, 3, 1);
        }
    }

    @Test
    void flagsTellReadOnlyAndRotational() {
        device.isReadOnly = true;
        device.isRotational = true;
        try (Conversation conversation = new Conversation(device)) {
            assertThat(answerTo(conversation, Wire.go("mem")))
                    .startsWith(
                            Wire.optionReply(
                                    7, 3, exportInfo(1 << 20, 1 | 2 | 4 | 8 | 16 | 256 | 1024)));
        }
    }

    @Test
    void preferredSizeIsAPowerOfTwo() {
        device.limits = new dev.spindle.block.QueueLimits(2048, 2048, 24 << 10, 128);
        try (Conversation conversation = new Conversation(device)) {
            assertThat(answerTo(conversation, Wire.go("mem")))
                    .contains(Wire.optionReply(7, 3, blockSizes(2048, 8192, 32 << 20)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void exportNameIsFollowedByZeroesUnlessAgreedOtherwise(int clientFlags) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(clientFlags), Wire.option(1, "mem".getBytes(UTF8)));
            byte[] told = Wire.join(exportInfo(1 << 20, FLAGS));
            byte[] body = java.util.Arrays.copyOfRange(told, 2, 12);
            byte[] zeroes = new byte[clientFlags == 3 ? 0 : 124];
            assertThat(conversation.received()).isEqualTo(Wire.join(Wire.greeting(), body, zeroes));
            conversation.send(Wire.request(Wire.FLUSH, 0, 5, 0, 0));
            assertThat(conversation.received()).isEqualTo(Wire.reply(0, 5));
        }
    }

    @Test
    void listShowsAllExportsWithTheirDescriptions() {
        try (Conversation conversation = new Conversation(device)) {
            byte[] mem = Wire.join(new byte[] {0, 0, 0, 3}, "mema memory".getBytes(UTF8));
            byte[] other = Wire.join(new byte[] {0, 0, 0, 5}, "other".getBytes(UTF8));
            assertThat(answerTo(conversation, Wire.option(3, new byte[0])))
                    .isEqualTo(
                            Wire.join(
                                    Wire.optionReply(3, 2, mem),
                                    Wire.optionReply(3, 2, other),
                                    Wire.optionReply(3, 1)));
        }
    }

    @Test
    void abortIsAcknowledgedThenClosedEvenWithData() {
        try (Conversation conversation = new Conversation(device)) {
            assertThat(answerTo(conversation, Wire.option(2, new byte[7])))
                    .isEqualTo(Wire.optionReply(2, 1));
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 12, 0x7fffffff})
    void anUnknownOptionIsUnsupported(int option) {
        refuses(Wire.ERR_UNSUP, Wire.option(option, new byte[13]));
    }

    @Test
    void anUnknownOptionWithMuchDataIsSkipped() {
        refuses(Wire.ERR_UNSUP, Wire.option(4711, new byte[1 << 20]));
    }

    @Test
    void listWithDataIsInvalid() {
        refuses(Wire.ERR_INVALID, Wire.option(3, new byte[1]));
    }

    @Test
    void infoShorterThanSixIsInvalid() {
        refuses(Wire.ERR_INVALID, Wire.option(6, new byte[5]));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 100, 0x7fffffff, -1})
    void aNameLongerThanTheOptionIsInvalid(int nameLength) {
        byte[] data = new byte[10];
        Unpooled.wrappedBuffer(data).setInt(0, nameLength);
        refuses(Wire.ERR_INVALID, Wire.option(7, data));
    }

    @Test
    void aWrongInfoCountIsInvalid() {
        byte[] data = Wire.infoData("mem", 0, 3);
        refuses(Wire.ERR_INVALID, Wire.option(7, java.util.Arrays.copyOf(data, 11)));
        refuses(Wire.ERR_INVALID, Wire.option(7, java.util.Arrays.copyOf(data, 15)));
    }

    @Test
    void aNameBeyond4096IsTooBig() {
        refuses(Wire.ERR_TOO_BIG, Wire.option(7, Wire.infoData("x".repeat(4097))));
    }

    @Test
    void anOptionBeyondItsBoundIsTooBig() {
        refuses(Wire.ERR_TOO_BIG, Wire.option(6, new byte[(64 << 10) + 1]));
    }

    @Test
    void anUnknownExportIsUnknown() {
        refuses(Wire.ERR_UNKNOWN, Wire.go("no such"));
        refuses(Wire.ERR_UNKNOWN, Wire.go("x".repeat(4096)));
    }

    private static void closes(Conversation conversation, byte[]... parts) {
        conversation.send(parts);
        assertThat(conversation.received()).isEqualTo(Wire.greeting());
        assertThat(conversation.isOpen()).isFalse();
        conversation.close();
    }

    @Test
    void exportNameOfAnUnknownExportHangsUp() {
        closes(new Conversation(device), Wire.flags(3), Wire.option(1, "no".getBytes(UTF8)));
        closes(new Conversation(device), Wire.flags(3), Wire.option(1, new byte[4097]));
        closes(new Conversation(device), Wire.flags(3), Wire.option(1, new byte[70_000]));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 0x80000000, -1})
    void anUnknownClientFlagHangsUp(int flags) {
        Conversation conversation = new Conversation(device);
        closes(conversation, Wire.flags(flags));
        assertThat(conversation.counters.protocolErrors()).isOne();
    }

    @Test
    void aWrongOptionMagicHangsUp() {
        byte[] option = Wire.option(3, new byte[0]);
        option[3]++;
        Conversation conversation = new Conversation(device);
        closes(conversation, Wire.flags(3), option);
        assertThat(conversation.counters.protocolErrors()).isOne();
    }

    @Test
    void anEndlessOptionHangsUp() {
        closes(new Conversation(device), Wire.flags(3), Wire.option(7, -1, new byte[0]));
        closes(
                new Conversation(device),
                Wire.flags(3),
                Wire.option(99, (1 << 20) + 1, new byte[0]));
    }

    @Test
    void tooManyOptionsHangUp() {
        byte[] one = Wire.option(99, new byte[0]);
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3));
            for (int i = 0; i < 64; i++) {
                conversation.send(one);
            }
            assertThat(conversation.isOpen()).isTrue();
            conversation.send(one);
            assertThat(conversation.isOpen()).isFalse();
            conversation.received();
            assertThat(conversation.counters.protocolErrors()).isOne();
        }
    }

    @Test
    void aSilentClientIsDroppedAtTheDeadline() {
        try (Conversation conversation = new Conversation(device)) {
            conversation.channel.freezeTime();
            conversation.send(Wire.flags(3));
            conversation.advanceMs(9_900);
            assertThat(conversation.isOpen()).isTrue();
            conversation.advanceMs(200);
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.handshakeTimeouts()).isOne();
            conversation.received();
        }
    }

    @Test
    void aSessionHasNoDeadline() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.channel.freezeTime();
            conversation.advanceMs(60_000);
            assertThat(conversation.isOpen()).isTrue();
        }
    }

    private static final java.nio.charset.Charset UTF8 = StandardCharsets.UTF_8;
}
