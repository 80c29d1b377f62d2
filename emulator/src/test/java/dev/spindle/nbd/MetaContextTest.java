package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LIST_META_CONTEXT, SET_META_CONTEXT and BLOCK_STATUS (proto.md, Metadata querying). */
class MetaContextTest {
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int SIZE = 1 << 20;
    private static final int PAGE = 4096;
    private static final int EINVAL = 22;
    private static final int HOLE = 3;
    private final MemoryDevice device = new MemoryDevice(SIZE);

    private static byte[] context(int option, int id) {
        byte[] name = "base:allocation".getBytes(StandardCharsets.US_ASCII);
        return Wire.optionReply(option, 4, Wire.join(new byte[] {0, 0, 0, (byte) id}, name));
    }

    private byte[] answerTo(byte[]... options) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3), Wire.structuredReply());
            conversation.received();
            conversation.send(options);
            return conversation.received();
        }
    }

    private void selects(boolean isSelected, String... queries) {
        byte[] ack = Wire.optionReply(SET, 1);
        assertThat(answerTo(Wire.option(SET, Wire.queries("mem", queries))))
                .isEqualTo(isSelected ? Wire.join(context(SET, 1), ack) : ack);
    }

    private void lists(boolean isListed, String... queries) {
        byte[] ack = Wire.optionReply(LIST, 1);
        assertThat(answerTo(Wire.option(LIST, Wire.queries("mem", queries))))
                .isEqualTo(isListed ? Wire.join(context(LIST, 0), ack) : ack);
    }

    @Test
    void setSelectsByFullNameAlone() {
        selects(true, "base:allocation");
        selects(true, "x-other:thing", "base:allocation", "base:allocation");
        selects(false);
        selects(false, "base:");
        selects(false, "");
        selects(false, "base:allocation2");
        selects(false, "base:Allocation");
        selects(false, "qemu:dirty-bitmap:x", "no colon");
    }

    @Test
    void listShowsByFullNameByNamespaceAndByNothing() {
        lists(true);
        lists(true, "base:");
        lists(true, "base:allocation");
        lists(true, "");
        lists(true, "qemu:", "base:");
        lists(false, "qemu:");
        lists(false, "base:other");
        lists(false, "base");
    }

    private void refuses(int error, int option, byte[] data) {
        byte[] answer = answerTo(Wire.option(option, data), Wire.option(3, new byte[0]));
        ByteBuf in = Unpooled.wrappedBuffer(answer);
        assertThat(in.getInt(12)).as("reply type").isEqualTo(error);
        assertThat(in.readableBytes()).as("LIST is answered").isGreaterThan(60);
    }

    private static byte[] patched(byte[] data, int index, int value) {
        Unpooled.wrappedBuffer(data).setInt(index, value);
        return data;
    }

    @ParameterizedTest
    @ValueSource(ints = {LIST, SET})
    void malformedQueriesAreInvalidAndTheStreamStaysInSync(int option) {
        refuses(Wire.ERR_INVALID, option, new byte[0]);
        refuses(Wire.ERR_INVALID, option, new byte[7]);
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 0, 99));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 0, -1));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 7, 2));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 7, 0));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 7, -1));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 11, 6));
        refuses(Wire.ERR_INVALID, option, patched(Wire.queries("mem", "base:"), 11, -1));
        refuses(Wire.ERR_INVALID, option, Wire.join(Wire.queries("mem", "base:"), new byte[1]));
        refuses(Wire.ERR_UNKNOWN, option, Wire.queries("no such", "base:"));
        refuses(Wire.ERR_TOO_BIG, option, Wire.queries("x".repeat(4097), "base:"));
        refuses(Wire.ERR_TOO_BIG, option, Wire.queries("mem", "base:" + "x".repeat(4097)));
        refuses(Wire.ERR_TOO_BIG, option, new byte[(64 << 10) + 1]);
    }

    @ParameterizedTest
    @ValueSource(ints = {LIST, SET})
    void withoutStructuredRepliesTheyAreInvalid(int option) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3));
            conversation.received();
            conversation.send(Wire.option(option, Wire.queries("mem", "base:allocation")));
            assertThat(Unpooled.wrappedBuffer(conversation.received()).getInt(12))
                    .isEqualTo(Wire.ERR_INVALID);
        }
    }

    private List<Chunk> statusAfter(byte[]... options) {
        try (Conversation conversation = Conversation.agreed(device, options)) {
            conversation.send(Wire.request(Wire.BLOCK_STATUS, 0, 5, 0, PAGE));
            return Chunk.readAll(conversation.received());
        }
    }

    private void hasContext(boolean isThere, byte[]... options) {
        List<Chunk> all = statusAfter(options);
        assertThat(all).hasSize(1);
        if (isThere) {
            assertThat(all.getFirst().type()).isEqualTo(Wire.STATUS);
        } else {
            assertThat(all.getFirst().error()).isEqualTo(EINVAL);
            assertThat(all.getFirst().text()).contains("no meta context");
        }
    }

    @Test
    void theLastSetCountsAndOnlyForItsExport() {
        byte[] structured = Wire.structuredReply();
        byte[] set = Wire.setAllocation("mem");
        hasContext(true, structured, set);
        hasContext(false, structured);
        hasContext(false, structured, Wire.setAllocation("other"));
        hasContext(false, structured, set, Wire.setAllocation("other"));
        hasContext(true, structured, Wire.setAllocation("other"), set);
        hasContext(false, structured, set, Wire.option(SET, Wire.queries("mem")));
        hasContext(true, structured, set, Wire.option(LIST, Wire.queries("mem", "x")));
        hasContext(true, structured, set, Wire.option(6, Wire.infoData("other")));
    }

    @Test
    void blockStatusTellsDataAndHolesAndTheLastAsFarAsItGoes() {
        device.punch(PAGE, 2 * PAGE);
        device.punch(10 * PAGE, SIZE - 10 * PAGE);
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(Wire.request(Wire.BLOCK_STATUS, 0, 5, 512, 11 * PAGE));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.chunk(
                                    true,
                                    Wire.STATUS,
                                    5,
                                    Wire.status(
                                            PAGE - 512,
                                            0,
                                            2 * PAGE,
                                            HOLE,
                                            7 * PAGE,
                                            0,
                                            SIZE - 10 * PAGE,
                                            HOLE)));
            assertThat(device.runs).as("no work for the drive").isZero();
        }
    }

    @Test
    void reqOneIsOneExtentNoLongerThanAskedFor() {
        device.punch(PAGE, 2 * PAGE);
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(
                    Wire.request(Wire.BLOCK_STATUS, Wire.REQ_ONE, 5, 0, 3 * PAGE),
                    Wire.request(Wire.BLOCK_STATUS, Wire.REQ_ONE, 6, PAGE, 512));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.join(
                                    Wire.chunk(true, Wire.STATUS, 5, Wire.status(PAGE, 0)),
                                    Wire.chunk(true, Wire.STATUS, 6, Wire.status(512, HOLE))));
        }
    }

    @Test
    void aReplyIsBoundedInExtents() {
        MemoryDevice long_ = new MemoryDevice(40 << 20);
        for (int page = 0; page < 10_000; page += 2) {
            long_.punch(page * PAGE, PAGE);
        }
        try (Conversation conversation = Conversation.structured(long_)) {
            conversation.send(Wire.request(Wire.BLOCK_STATUS, 0, 5, 0, 40 << 20));
            Chunk status = Chunk.readAll(conversation.received()).getFirst();
            assertThat(status.payload()).hasSize(4 + 8 * 4096);
        }
    }

    @Test
    void blockStatusOfNothingOrPastTheEndOrUnalignedIsInvalid() {
        for (long[] range : new long[][] {{0, 0}, {SIZE, 512}, {0, SIZE + 512}, {100, 512}}) {
            try (Conversation conversation = Conversation.structured(device)) {
                conversation.send(Wire.request(Wire.BLOCK_STATUS, 0, 5, range[0], (int) range[1]));
                Chunk refusal = Chunk.readAll(conversation.received()).getFirst();
                assertThat(refusal.error()).isEqualTo(EINVAL);
            }
        }
    }

    @Test
    void anAnswerThatTakesTimeIsWaitedForAtDisc() {
        device.isHolding = true;
        try (Conversation conversation = Conversation.structured(device)) {
            conversation.send(
                    Wire.request(Wire.BLOCK_STATUS, 0, 5, 0, PAGE),
                    Wire.request(Wire.DISC, 0, 6, 0, 0));
            assertThat(conversation.isOpen()).isTrue();
            conversation.release();
            assertThat(ByteBufUtil.hexDump(conversation.received()))
                    .isEqualTo(
                            ByteBufUtil.hexDump(
                                    Wire.chunk(true, Wire.STATUS, 5, Wire.status(SIZE, 0))));
            assertThat(conversation.isOpen()).isFalse();
        }
    }
}
