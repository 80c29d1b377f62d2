package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The extension EXTENDED_HEADERS (proto.md on its branch extension-ext-header). */
class ExtendedHeadersTest {
    private static final int SIZE = 1 << 20;
    private static final int PAGE = 4096;
    private static final int EINVAL = 22;
    private static final int ENOSPC = 28;
    private static final int HOLE = 3;
    private final MemoryDevice device = new MemoryDevice(SIZE);

    private static byte[] filter(long effect, int... ids) {
        var data = Unpooled.buffer().writeLong(effect);
        for (int id : ids) {
            data.writeInt(id);
        }
        return Arrays.copyOf(data.array(), 8 + 4 * ids.length);
    }

    private static byte[] write(long cookie, long offset, byte[] data) {
        return Wire.join(
                Wire.extended(Wire.WRITE, Wire.PAYLOAD_LEN, cookie, offset, data.length), data);
    }

    /** Each refused with that error, and a FLUSH behind it is understood. */
    private void refuses(int error, byte[]... request) {
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.join(request), Wire.extended(Wire.FLUSH, 0, 77, 0, 0));
            List<Chunk> all = Chunk.readAll(conversation.received());
            assertThat(all).hasSize(2);
            assertThat(all.get(0).error()).isEqualTo(error);
            assertThat(all.get(1).cookie()).isEqualTo(77);
            assertThat(all.get(1).error()).isZero();
        }
    }

    @Test
    void everyReplyHasTheWideHeaderWithItsRequestsOffset() {
        device.punch(2 * PAGE, PAGE);
        try (Conversation conversation = Conversation.extended(device)) {
            byte[] data = Wire.pattern(4, PAGE);
            conversation.send(
                    write(1, PAGE, data),
                    Wire.extended(Wire.READ, 0, 2, PAGE, 2 * PAGE),
                    Wire.extended(Wire.FLUSH, 0, 3, 0, 0),
                    Wire.extended(Wire.TRIM, Wire.FUA, 4, 8 * PAGE, PAGE),
                    Wire.extended(Wire.READ, 0, 5, 512, 0));
            byte[] received = conversation.received();
            assertThat(sorted(received))
                    .isEqualTo(
                            sorted(
                                    Wire.join(
                                            Wire.wideChunk(true, Wire.NONE, 1, PAGE),
                                            Wire.wideChunk(
                                                    false,
                                                    Wire.OFFSET_DATA,
                                                    2,
                                                    PAGE,
                                                    Wire.data(PAGE, data)),
                                            Wire.wideChunk(
                                                    true,
                                                    Wire.OFFSET_HOLE,
                                                    2,
                                                    PAGE,
                                                    Wire.hole(2 * PAGE, PAGE)),
                                            Wire.wideChunk(true, Wire.NONE, 3, 0),
                                            Wire.wideChunk(true, Wire.NONE, 4, 8 * PAGE),
                                            Wire.wideChunk(true, Wire.NONE, 5, 512))));
        }
    }

    /** What needs no device may overtake. */
    private static List<String> sorted(byte[] replies) {
        return Chunk.readAll(replies).stream()
                .map(each ->
                        each.cookie()
                                + " "
                                + each.type()
                                + " "
                                + each.offset()
                                + " "
                                + Arrays.toString(each.payload()))
                .sorted()
                .toList();
    }

    @Test
    void blockStatusHasWideDescriptors() {
        device.punch(PAGE, PAGE);
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.extended(Wire.BLOCK_STATUS, 0, 5, 0, SIZE));
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.wideChunk(
                                    true,
                                    Wire.STATUS_EXT,
                                    5,
                                    0,
                                    Wire.wideStatus(PAGE, 0, PAGE, HOLE, SIZE - 2 * PAGE, 0)));
        }
    }

    @Test
    void blockStatusMayNameItsContext() {
        try (Conversation conversation = Conversation.extended(device)) {
            byte[] request =
                    Wire.join(
                            Wire.extended(
                                    Wire.BLOCK_STATUS,
                                    Wire.PAYLOAD_LEN | Wire.REQ_ONE,
                                    5,
                                    PAGE,
                                    12),
                            filter(PAGE, 1));
            conversation.send(request);
            byte[] expected =
                    Wire.wideChunk(true, Wire.STATUS_EXT, 5, PAGE, Wire.wideStatus(PAGE, 0));
            assertThat(conversation.received()).isEqualTo(expected);
            for (byte one : request) {
                conversation.send(new byte[] {one});
            }
            assertThat(conversation.received()).isEqualTo(expected);
        }
    }

    @Test
    void aWrongListOfContextsIsReadPastAndInvalid() {
        int flag = Wire.PAYLOAD_LEN;
        int status = Wire.BLOCK_STATUS;
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 12), filter(PAGE, 2));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 16), filter(PAGE, 1, 1));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 16), filter(PAGE, 1, 2));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 8), filter(PAGE));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 11), new byte[11]);
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 0));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 12), filter(SIZE + 512, 1));
        refuses(EINVAL, Wire.extended(status, flag, 5, 0, 12), filter(0, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {Wire.READ, Wire.FLUSH, Wire.TRIM, Wire.CACHE, Wire.WRITE_ZEROES, 8, 99})
    void aPayloadNobodyExpectsIsReadPastAndInvalid(int type) {
        refuses(EINVAL, Wire.extended(type, Wire.PAYLOAD_LEN, 5, 0, 1000), new byte[1000]);
    }

    @Test
    void aWriteWithoutThePayloadFlagHasNone() {
        refuses(EINVAL, Wire.extended(Wire.WRITE, 0, 5, 0, 512));
        refuses(EINVAL, Wire.extended(99, 0, 5, 0, 512));
    }

    @Test
    void aRefusedWriteIsReadPast() {
        refuses(ENOSPC, write(5, SIZE, new byte[512]));
        refuses(EINVAL, write(5, 100, new byte[512]));
        device.isReadOnly = true;
        refuses(1, write(5, 0, new byte[512]));
    }

    @Test
    void lengthsBeyondEveryEndAreRefused() {
        refuses(75, Wire.extended(Wire.READ, 0, 5, 0, 1L << 40));
        refuses(75, Wire.extended(Wire.READ, 0, 5, 0, -512));
        refuses(EINVAL, Wire.extended(Wire.TRIM, 0, 5, 512, -512));
        refuses(EINVAL, Wire.extended(Wire.CACHE, 0, 5, 0, Long.MIN_VALUE));
        refuses(ENOSPC, Wire.extended(Wire.WRITE_ZEROES, 0, 5, -512, 1024));
        refuses(EINVAL, Wire.extended(Wire.BLOCK_STATUS, 0, 5, 0, -512));
    }

    @ParameterizedTest
    @ValueSource(longs = {(32 << 20) + 1, 1L << 32, -1})
    void aPayloadBeyondTheMaximumEndsTheConnection(long length) {
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.extended(99, Wire.PAYLOAD_LEN, 5, 0, length));
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.protocolErrors()).isOne();
        }
    }

    @Test
    void aCompactRequestIsABreach() {
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.request(Wire.FLUSH, 0, 5, 0, 0), new byte[8]);
            assertThat(conversation.isOpen()).isFalse();
            assertThat(conversation.counters.protocolErrors()).isOne();
        }
    }

    @Test
    void theyTakePrecedenceWhicheverComesFirst() {
        try (Conversation conversation =
                Conversation.agreed(device, Wire.structuredReply(), Wire.extendedHeaders())) {
            conversation.send(Wire.extended(Wire.FLUSH, 0, 5, 0, 0));
            assertThat(conversation.received()).isEqualTo(Wire.wideChunk(true, Wire.NONE, 5, 0));
        }
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3), Wire.extendedHeaders());
            conversation.received();
            conversation.send(Wire.structuredReply());
            assertThat(Unpooled.wrappedBuffer(conversation.received()).getInt(12))
                    .isEqualTo(Wire.ERR_EXT_HEADER_REQD);
            conversation.send(Wire.go("mem"), Wire.extended(Wire.READ, 0, 5, 0, 512));
            assertThat(conversation.received())
                    .endsWith(Wire.wideChunk(true, Wire.OFFSET_HOLE, 5, 0, Wire.hole(0, 512)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 11})
    void dataWithThemIsInvalid(int option) {
        for (int length : new int[] {1, 70_000}) {
            try (Conversation conversation = new Conversation(device)) {
                conversation.send(Wire.flags(3));
                conversation.received();
                conversation.send(Wire.option(option, new byte[length]), Wire.go("mem"));
                assertThat(Unpooled.wrappedBuffer(conversation.received()).getInt(12))
                        .isEqualTo(Wire.ERR_INVALID);
                conversation.send(Wire.request(Wire.FLUSH, 0, 5, 0, 0));
                assertThat(conversation.received()).isEqualTo(Wire.reply(0, 5));
            }
        }
    }

    /** Long ones reach the device in slices, one after the other, and answer once. */
    @ParameterizedTest
    @ValueSource(ints = {Wire.TRIM, Wire.WRITE_ZEROES})
    void lengthsBeyondFourGigabytesAreDoneInSlices(int type) {
        device.pretendedBytes = 8L << 40;
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(
                    Wire.extended(type, Wire.FUA, 5, PAGE, (5L << 30) + PAGE),
                    Wire.extended(Wire.FLUSH, 0, 6, 0, 0));
            conversation.channel.runPendingTasks();
            assertThat(conversation.received())
                    .isEqualTo(
                            Wire.join(
                                    Wire.wideChunk(true, Wire.NONE, 6, 0),
                                    Wire.wideChunk(true, Wire.NONE, 5, PAGE)));
            String name = type == Wire.TRIM ? "DISCARD" : "WRITE_ZEROES";
            assertThat(device.seen)
                    .hasSize(7)
                    .contains(
                            name + " offset=4096 length=1073741824 fua",
                            name + " offset=1073745920 length=1073741824 fua",
                            name + " offset=5368713216 length=4096 fua");
        }
    }

    @Test
    void aSliceThatFailsEndsTheRequest() {
        device.pretendedBytes = 8L << 40;
        device.isHolding = true;
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.extended(Wire.TRIM, 0, 5, 0, 5L << 30));
            conversation.release();
            assertThat(device.held).hasSize(1);
            device.status = dev.spindle.block.BlockStatus.IO_ERROR;
            conversation.release();
            Chunk error = Chunk.readAll(conversation.received()).getFirst();
            assertThat(error.error()).isEqualTo(5);
            assertThat(device.seen).hasSize(2);
        }
    }

    /** Whoever leaves has it done all the same. */
    @Test
    void slicesGoOnWhenTheClientHasLeft() {
        device.pretendedBytes = 8L << 40;
        device.isHolding = true;
        Conversation conversation = Conversation.extended(device);
        conversation.send(Wire.extended(Wire.WRITE_ZEROES, 0, 5, 0, 3L << 30));
        var _ = conversation.channel.close();
        conversation.release();
        conversation.release();
        assertThat(conversation.connections.count()).isOne();
        conversation.close();
        assertThat(device.seen).hasSize(3);
    }

    @Test
    void aLongCacheReadsAsMuchAsACacheCanHold() {
        device.pretendedBytes = 8L << 40;
        try (Conversation conversation = Conversation.extended(device)) {
            conversation.send(Wire.extended(Wire.CACHE, 0, 5, 0, 8L << 40));
            assertThat(conversation.received()).isEqualTo(Wire.wideChunk(true, Wire.NONE, 5, 0));
            assertThat(device.seen).containsExactly("READ offset=0 length=33554432");
        }
    }

    @Test
    void exportNameIsRefusedByHangingUp() {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3), Wire.extendedHeaders());
            conversation.received();
            conversation.send(Wire.option(1, new byte[0]));
            assertThat(conversation.received()).isEmpty();
            assertThat(conversation.isOpen()).isFalse();
        }
    }

    @Test
    void flagsTellWhatTheHandshakeHasAgreedOn() {
        int plain = 1 | 4 | 8 | 32 | 64 | 256 | 1024 | 2048;
        byte[] set = Wire.setAllocation("mem");
        assertThat(flagsAfter()).isEqualTo(plain);
        assertThat(flagsAfter(Wire.structuredReply())).isEqualTo(plain | 128);
        assertThat(flagsAfter(Wire.structuredReply(), set)).isEqualTo(plain | 128);
        assertThat(flagsAfter(Wire.extendedHeaders())).isEqualTo(plain | 128);
        assertThat(flagsAfter(Wire.extendedHeaders(), set)).isEqualTo(plain | 128 | 4096);
    }

    private int flagsAfter(byte[]... options) {
        try (Conversation conversation = new Conversation(device)) {
            conversation.send(Wire.flags(3), Wire.join(options));
            conversation.received();
            conversation.send(Wire.option(6, Wire.infoData("mem")));
            return Unpooled.wrappedBuffer(conversation.received()).getUnsignedShort(30);
        }
    }
}
