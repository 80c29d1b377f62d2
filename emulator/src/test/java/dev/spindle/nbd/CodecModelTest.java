package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests, good and bad, in all three kinds of replies, against a byte array and the rules
 * written down a second time; each reply is taken apart as a strict client would. Replay one seed:
 * {@code mvn -pl emulator test -Dtest=CodecModelTest -Dspindle.seed=N}.
 */
class CodecModelTest {
    private static final int SIZE = 1 << 20;
    private static final int PAGE = 4096;
    private static final int REQUESTS = 300;

    static LongStream seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? LongStream.of(given) : LongStream.rangeClosed(1, 24);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyReplyIsWhatTheModelSays(long seed) {
        new Run(seed).play();
    }

    private record Request(int type, int flags, long offset, long length, ByteBuf data) {
        byte[] payload() {
            return ByteBufUtil.getBytes(data);
        }

        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    private static final class Run {
        private final SplittableRandom random;
        private final int kind;
        private final MemoryDevice device = new MemoryDevice(SIZE);
        private byte[] model = new byte[0];

        Run(long seed) {
            random = new SplittableRandom(seed);
            kind = (int) (seed % 3);
            device.isDirect = random.nextBoolean();
            device.zeroesFast = random.nextBoolean();
            device.isReadOnly = random.nextInt(6) == 0;
            System.arraycopy(Wire.pattern((int) seed, SIZE), 0, device.contents, 0, SIZE);
            for (int i = 0; i < 12; i++) {
                device.punch(PAGE * random.nextInt(200), PAGE * random.nextInt(1, 40));
            }
        }

        void play() {
            byte[] agreement =
                    switch (kind) {
                        case 0 -> new byte[0];
                        case 1 -> Wire.join(Wire.structuredReply(), Wire.setAllocation("mem"));
                        default -> Wire.join(Wire.extendedHeaders(), Wire.setAllocation("mem"));
                    };
            model = device.contents.clone();
            try (Conversation conversation = Conversation.agreed(device, agreement)) {
                for (long cookie = 1; cookie <= REQUESTS; cookie++) {
                    Request request = randomRequest();
                    sendInPieces(conversation, bytes(request, cookie));
                    check(request, cookie, conversation.received());
                    assertThat(conversation.isOpen()).as("%s", request).isTrue();
                }
                assertThat(device.contents).isEqualTo(model);
            }
        }

        private Request randomRequest() {
            int type = random.nextInt(9);
            if (type == Wire.DISC) {
                type = 99;
            }
            int flags = random.nextInt(3) == 0 ? 1 << random.nextInt(7) : 0;
            long unit = random.nextInt(10) == 0 ? 100 : 512;
            long offset = unit * random.nextInt((int) (SIZE / unit) + 2);
            long length = unit * random.nextInt(1, 300);
            if (random.nextInt(20) == 0) {
                length = random.nextBoolean() ? 0 : 40L << 20;
            }
            if (type == Wire.FLUSH && random.nextInt(4) > 0) {
                offset = 0;
                length = 0;
            }
            byte[] payload = new byte[0];
            boolean isWrite = type == Wire.WRITE;
            if (isWrite) {
                length = Math.min(length, 1 << 20);
                flags |= kind == 2 && random.nextInt(8) > 0 ? Wire.PAYLOAD_LEN : 0;
            }
            if (kind == 2 ? (flags & Wire.PAYLOAD_LEN) != 0 : isWrite) {
                length = Math.min(length, 1 << 20);
                payload = Wire.pattern(random.nextInt(), (int) length);
            }
            return new Request(type, flags, offset, length, Unpooled.wrappedBuffer(payload));
        }

        private byte[] bytes(Request request, long cookie) {
            byte[] header =
                    kind == 2
                            ? Wire.extended(
                                    request.type,
                                    request.flags,
                                    cookie,
                                    request.offset,
                                    request.length)
                            : Wire.request(
                                    request.type,
                                    request.flags,
                                    cookie,
                                    request.offset,
                                    (int) request.length);
            return Wire.join(header, request.payload());
        }

        private void sendInPieces(Conversation conversation, byte[] bytes) {
            int cut = random.nextInt(bytes.length + 1);
            conversation.send(Arrays.copyOf(bytes, cut));
            conversation.send(Arrays.copyOfRange(bytes, cut, bytes.length));
        }

        /** The rules, in the order of the server's, where more than one is broken. */
        private int expectedError(Request r) {
            int allowed =
                    Wire.FUA
                            | switch (r.type) {
                                case Wire.READ -> kind == 0 ? 0 : Wire.DF;
                                case Wire.WRITE -> kind == 2 ? Wire.PAYLOAD_LEN : 0;
                                case Wire.WRITE_ZEROES -> Wire.NO_HOLE | Wire.FAST_ZERO;
                                case Wire.BLOCK_STATUS ->
                                        Wire.REQ_ONE | (kind == 2 ? Wire.PAYLOAD_LEN : 0);
                                default -> 0;
                            };
            if (r.type > Wire.BLOCK_STATUS || (r.flags & ~allowed) != 0) {
                return 22;
            }
            if (r.type == Wire.FLUSH) {
                return r.offset == 0 && r.length == 0 ? 0 : 22;
            }
            if (r.type == Wire.BLOCK_STATUS
                    && (kind == 0 || r.length == 0 || r.has(Wire.PAYLOAD_LEN))) {
                return 22;
            }
            if (r.type == Wire.WRITE && kind == 2 && !r.has(Wire.PAYLOAD_LEN)) {
                return 22;
            }
            boolean changes =
                    r.type == Wire.WRITE || r.type == Wire.TRIM || r.type == Wire.WRITE_ZEROES;
            if (changes && device.isReadOnly) {
                return 1;
            }
            if (r.type == Wire.READ && r.length > 32 << 20) {
                return kind == 0 ? 22 : 75;
            }
            if (r.offset + r.length > SIZE) {
                return r.type == Wire.WRITE || r.type == Wire.WRITE_ZEROES ? 28 : 22;
            }
            if (r.offset % 512 != 0 || r.length % 512 != 0) {
                return 22;
            }
            boolean isSlow = !device.zeroesFast || r.has(Wire.NO_HOLE);
            return r.type == Wire.WRITE_ZEROES && r.has(Wire.FAST_ZERO) && isSlow ? 95 : 0;
        }

        private void check(Request request, long cookie, byte[] reply) {
            int error = expectedError(request);
            if (error == 0) {
                apply(request);
            }
            if (kind == 0) {
                boolean hasData = request.type == Wire.READ && error == 0;
                int from = (int) request.offset;
                byte[] data =
                        hasData
                                ? Arrays.copyOfRange(model, from, from + (int) request.length)
                                : new byte[0];
                assertThat(reply).as("%s", request).isEqualTo(Wire.reply(error, cookie, data));
                return;
            }
            List<Chunk> chunks = Chunk.readAll(reply);
            assertThat(chunks).as("%s", request).isNotEmpty();
            for (Chunk chunk : chunks) {
                assertThat(chunk.cookie()).isEqualTo(cookie);
                assertThat(chunk.isLast()).isEqualTo(chunk.equals(chunks.getLast()));
                if (kind == 2) {
                    assertThat(chunk.magic()).isEqualTo(Chunk.EXTENDED);
                    assertThat(chunk.offset()).isEqualTo(request.offset);
                } else if (request.type == Wire.READ) {
                    assertThat(chunk.magic()).isEqualTo(Chunk.STRUCTURED);
                }
            }
            assertThat(chunks.getLast().error()).as("%s", request).isEqualTo(error);
            if (error != 0) {
                assertThat(chunks).hasSize(1);
                assertThat(chunks.getLast().text()).isNotBlank();
            } else if (request.type == Wire.READ) {
                checkContent(request, chunks);
            } else if (request.type == Wire.BLOCK_STATUS) {
                assertThat(chunks).hasSize(1);
                checkStatus(request, chunks.getFirst());
            } else {
                assertThat(chunks).hasSize(1);
                assertThat(chunks.getFirst().body().readableBytes()).isZero();
            }
        }

        private void apply(Request r) {
            int from = (int) r.offset;
            int end = from + (int) r.length;
            switch (r.type) {
                case Wire.WRITE -> r.data.getBytes(0, model, from, (int) r.length);
                case Wire.TRIM, Wire.WRITE_ZEROES -> Arrays.fill(model, from, end, (byte) 0);
                default -> {}
            }
        }

        /** Chunks may not overlap nor leave anything out, and say what the model holds. */
        private void checkContent(Request request, List<Chunk> chunks) {
            if (request.length == 0) {
                assertThat(chunks).hasSize(1);
                assertThat(chunks.getFirst().type()).isEqualTo(Wire.NONE);
                return;
            }
            byte[] read = new byte[(int) request.length];
            boolean[] isCovered = new boolean[read.length];
            for (Chunk chunk : chunks) {
                ByteBuf body = chunk.body();
                int at = (int) (body.getLong(0) - request.offset);
                boolean isHole = chunk.type() == Wire.OFFSET_HOLE;
                int length = isHole ? body.getInt(8) : body.readableBytes() - 8;
                assertThat(length).isPositive();
                if (!isHole) {
                    body.getBytes(8, read, at, length);
                }
                for (int i = at; i < at + length; i++) {
                    assertThat(isCovered[i]).isFalse();
                    isCovered[i] = true;
                }
            }
            assertThat(isCovered).doesNotContain(false);
            int from = (int) request.offset;
            assertThat(read).isEqualTo(Arrays.copyOfRange(model, from, from + read.length));
            if (request.has(Wire.DF)) {
                assertThat(chunks).hasSize(1);
            }
        }

        private void checkStatus(Request request, Chunk chunk) {
            boolean isWide = kind == 2;
            assertThat(chunk.type()).isEqualTo(isWide ? Wire.STATUS_EXT : Wire.STATUS);
            ByteBuf in = Unpooled.wrappedBuffer(chunk.payload());
            assertThat(in.readInt()).isEqualTo(1);
            int count = isWide ? in.readInt() : in.readableBytes() / 8;
            assertThat(in.readableBytes()).isEqualTo(count * (isWide ? 16 : 8));
            long at = request.offset;
            for (int i = 0; i < count; i++) {
                assertThat(at).isLessThan(request.offset + request.length);
                long length = isWide ? in.readLong() : in.readUnsignedInt();
                boolean isHole = (isWide ? in.readLong() : in.readUnsignedInt()) == 3;
                assertThat(length).isPositive();
                for (long page = at / PAGE; page * PAGE < at + length; page++) {
                    assertThat(device.pages.get((int) page)).isNotEqualTo(isHole);
                }
                at += length;
            }
            if (request.has(Wire.REQ_ONE)) {
                assertThat(count).isOne();
                assertThat(at).isLessThanOrEqualTo(request.offset + request.length);
            } else {
                assertThat(at).isGreaterThanOrEqualTo(request.offset + request.length);
            }
        }
    }
}
