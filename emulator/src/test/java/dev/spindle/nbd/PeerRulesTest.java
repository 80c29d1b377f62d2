package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the protocol that other servers were found to break, a test each. */
class PeerRulesTest {
    private static final int SIZE = 1 << 20;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private static final int LIST = 3;
    private static final int SET = 10;
    private final MemoryDevice device = new MemoryDevice(SIZE);

    private void staysInSync(int error, byte[] option) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3));
            conversation.received();
            conversation.send(option, Wire.go("mem"), Wire.request(Wire.FLUSH, 0, 9, 0, 0));
            byte[] answer = conversation.received();
            assertThat(Unpooled.wrappedBuffer(answer).getInt(12)).isEqualTo(error);
            assertThat(answer).endsWith(Wire.reply(0, 9));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 1 << 16, 1 << 31, -1})
    void anUnknownClientFlagDropsTheConnection(int flag) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3 | flag), Wire.go("mem"));
            assertThat(conversation.received()).isEqualTo(Wire.greeting());
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void listWithDataIsInvalidAndInSync() {
        staysInSync(Wire.ERR_INVALID, Wire.option(LIST, new byte[5]));
        staysInSync(Wire.ERR_INVALID, Wire.option(LIST, new byte[70_000]));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void infoShorterThanSixIsInvalidAndInSync(int length) {
        staysInSync(Wire.ERR_INVALID, Wire.option(6, new byte[length]));
        staysInSync(Wire.ERR_INVALID, Wire.option(7, new byte[length]));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100, 4999, Integer.MAX_VALUE, -1})
    void aNameLongerThanTheOptionIsInvalidAndInSync(int nameLength) {
        byte[] data = new byte[6];
        Unpooled.wrappedBuffer(data).setInt(0, nameLength);
        staysInSync(Wire.ERR_INVALID, Wire.option(6, data));
        staysInSync(Wire.ERR_INVALID, Wire.option(7, data));
    }

    @Test
    void aWrongInfoCountIsInvalidAndInSync() {
        byte[] data = Wire.infoData("mem", 0, 3);
        staysInSync(Wire.ERR_INVALID, Wire.option(7, Arrays.copyOf(data, data.length - 2)));
        staysInSync(Wire.ERR_INVALID, Wire.option(7, Arrays.copyOf(data, data.length + 2)));
        staysInSync(Wire.ERR_INVALID, Wire.option(7, Arrays.copyOf(data, data.length + 1)));
    }

    @Test
    void withStructuredRepliesAReadIsNeverAnsweredBySimpleOnes() {
        device.badOffset = 8192;
        long[][] reads = {
            {0, 0, 512},
            {0, 0, 0},
            {0x8000, 0, 512},
            {Wire.NO_HOLE, 0, 0},
            {0, SIZE - 256, 512},
            {0, 1, 512},
            {0, 0, 64 << 20},
            {0, 8192, 512}
        };
        for (long[] read : reads) {
            try (Conversation conversation = Conversation.structured(device)) {
                conversation.send(
                        Wire.request(Wire.READ, (int) read[0], 5, read[1], (int) read[2]));
                List<Chunk> all = Chunk.readAll(conversation.received());
                assertThat(all).isNotEmpty();
                assertThat(all).extracting(Chunk::magic).containsOnly(Chunk.STRUCTURED);
                assertThat(all.getLast().isLast()).isTrue();
            }
        }
    }

    @Test
    void infoAnswersAsGo() {
        byte[][] agreements = {
            new byte[0],
            Wire.structuredReply(),
            Wire.join(Wire.structuredReply(), Wire.setAllocation("mem")),
            Wire.join(Wire.extendedHeaders(), Wire.setAllocation("mem"))
        };
        byte[] data = Wire.infoData("mem", 0, 1, 2, 3);
        for (byte[] agreement : agreements) {
            try (Conversation conversation = new Conversation(device)) {
                conversation.send(Wire.flags(3), agreement);
                conversation.received();
                conversation.send(Wire.option(6, data));
                byte[] info = conversation.received();
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
    }

    @Test
    void aFailingSetMetaContextClearsContexts() {
        byte[][] failing = {
            Wire.option(SET, new byte[3]),
            Wire.option(SET, Wire.queries("no such", "base:allocation")),
            Wire.option(SET, Wire.queries("x".repeat(4097), "base:allocation")),
            Wire.option(SET, Wire.join(Wire.queries("mem", "base:allocation"), new byte[1])),
            Wire.option(SET, new byte[70_000])
        };
        for (byte[] option : failing) {
            try (Conversation conversation =
                    Conversation.agreed(
                            device, Wire.structuredReply(), Wire.setAllocation("mem"), option)) {
                conversation.send(Wire.request(Wire.BLOCK_STATUS, 0, 5, 0, 512));
                Chunk answer = Chunk.readAll(conversation.received()).getFirst();
                assertThat(answer.error()).isEqualTo(EINVAL);
            }
        }
    }

    @Test
    void everythingOutstandingAtDiscIsDone() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.structured(device)) {
            byte[] data = Wire.pattern(3, 4096);
            conversation.send(
                    Wire.write(1, 4096, data),
                    Wire.request(Wire.READ, 0, 2, 0, 512),
                    Wire.request(Wire.BLOCK_STATUS, 0, 3, 0, 512),
                    Wire.request(Wire.TRIM, 0, 4, 0, 512),
                    Wire.request(Wire.DISC, 0, 5, 0, 0));
            assertThat(conversation.isOpen()).isTrue();
            conversation.release();
            assertThat(conversation.isOpen()).isFalse();
            assertThat(Chunk.readAll(conversation.received()))
                    .extracting(Chunk::cookie)
                    .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
            assertThat(Arrays.copyOfRange(device.contents, 4096, 8192)).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Wire.READ,
                Wire.WRITE,
                Wire.FLUSH,
                Wire.TRIM,
                Wire.CACHE,
                Wire.WRITE_ZEROES,
                Wire.BLOCK_STATUS,
                Wire.DISC
            })
    void forceUnitAccessIsAcceptedOnAnyCommand(int type) {
        int length = type == Wire.FLUSH || type == Wire.DISC ? 0 : 512;
        byte[] payload = new byte[type == Wire.WRITE ? 512 : 0];
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(Wire.request(type, Wire.FUA, 5, 0, length), payload);
            List<Chunk> all = Chunk.readAll(conversation.received());
            assertThat(all).hasSize(type == Wire.DISC ? 0 : 1);
            assertThat(all).noneMatch(Chunk::isError);
            assertThat(conversation.counters.protocolErrors()).isZero();
        }
        try (Conversation conversation = Conversation.extended(device)) {
            int flags = type == Wire.WRITE ? Wire.FUA | Wire.PAYLOAD_LEN : Wire.FUA;
            conversation.send(Wire.extended(type, flags, 5, 0, length), payload);
            assertThat(Chunk.readAll(conversation.received())).noneMatch(Chunk::isError);
            assertThat(conversation.counters.protocolErrors()).isZero();
        }
    }

    @Test
    void aWritePastTheEndHasNoSpace() {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.write(1, SIZE - 512, new byte[1024]),
                    Wire.write(2, -512, new byte[512]),
                    Wire.request(Wire.WRITE_ZEROES, 0, 3, SIZE, 512));
            assertThat(Chunk.readAll(conversation.received()))
                    .extracting(Chunk::error)
                    .containsOnly(ENOSPC);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 100, 0x7fff, 0xffff})
    void anUnknownCommandIsInvalidAndInSync(int type) {
        try (Conversation conversation = Conversation.inTransmission(device)) {
            conversation.send(
                    Wire.request(type, 0, 1, 0, 4096), Wire.request(Wire.FLUSH, 0, 2, 0, 0));
            assertThat(Chunk.readAll(conversation.received()))
                    .extracting(Chunk::error)
                    .containsExactly(EINVAL, 0);
        }
        for (int payload : new int[] {0, 1, 31, 4096}) {
            try (Conversation conversation = Conversation.extended(device)) {
                conversation.send(
                        Wire.extended(type, Wire.PAYLOAD_LEN, 1, 0, payload),
                        new byte[payload],
                        Wire.extended(Wire.FLUSH, 0, 2, 0, 0));
                assertThat(Chunk.readAll(conversation.received()))
                        .extracting(Chunk::error)
                        .containsExactly(EINVAL, 0);
            }
        }
    }
}
