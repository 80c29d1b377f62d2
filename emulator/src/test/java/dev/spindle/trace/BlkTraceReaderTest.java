package dev.spindle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlkTraceReaderTest {
    private static final int QUEUE_READ = 0x0011_0001;
    private static final int COMPLETE_READ = 0x0081_0008;
    private static final int NOTIFY = 0x0400_0000;
    private static final int SEEDS = 400;

    @TempDir private Path folder;

    /** A record as a kernel would have written it. */
    private static byte[] record(ByteOrder order, long timeNs, long sector, int word, byte... pdu) {
        return ByteBuffer.allocate(RecordLayout.BYTES + pdu.length)
                .order(order)
                .putInt(RecordLayout.MAGIC)
                .putInt(1)
                .putLong(timeNs)
                .putLong(sector)
                .putInt(4096)
                .putInt(word)
                .putInt(4711)
                .putInt(8 << 20)
                .putInt(0)
                .putShort((short) -5)
                .putShort((short) pdu.length)
                .put(pdu)
                .array();
    }

    private static byte[] record(long timeNs, long sector, int word, byte... pdu) {
        return record(ByteOrder.LITTLE_ENDIAN, timeNs, sector, word, pdu);
    }

    private Path write(String name, byte[]... records) throws IOException {
        int bytes = Arrays.stream(records).mapToInt(record -> record.length).sum();
        ByteBuffer all = ByteBuffer.allocate(bytes);
        Arrays.stream(records).forEach(all::put);
        return Files.write(folder.resolve(name), all.array());
    }

    private static List<Long> sectors(Path name) throws IOException {
        return TracedDevice.events(name).stream().map(TraceEvent::sector).toList();
    }

    @Test
    void readsEitherByteOrder() throws IOException {
        byte[] pdu = {0, 0, 0, 0, 0, 0, 1, 2};
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            Path file = write("one", record(order, 17, 0x1_0000_0001L, QUEUE_READ, pdu));
            TraceEvent event = TracedDevice.events(file).getFirst();
            assertThat(event)
                    .isEqualTo(
                            new TraceEvent(
                                    17,
                                    1,
                                    0x1_0000_0001L,
                                    4096,
                                    QUEUE_READ,
                                    4711,
                                    new TraceDevice(8, 0),
                                    0,
                                    5,
                                    0x102));
            assertThat(event.letter()).isEqualTo('Q');
        }
    }

    @Test
    void mergesTheFilesOfProcessorsByTime() throws IOException {
        write("sda.blktrace.0", record(1, 10, QUEUE_READ), record(5, 50, QUEUE_READ));
        write(
                "sda.blktrace.3",
                record(ByteOrder.BIG_ENDIAN, 2, 20, QUEUE_READ),
                record(ByteOrder.BIG_ENDIAN, 3, 30, QUEUE_READ));
        write("sda.blktrace.1");
        write("sda.blktrace.2", record(5, 51, QUEUE_READ));
        assertThat(sectors(folder.resolve("sda"))).containsExactly(10L, 20L, 30L, 50L, 51L);
    }

    @Test
    void passesOverNotificationsAndWhatFollowsThem() throws IOException {
        Path file =
                write(
                        "one",
                        record(0, 0, NOTIFY, new byte[16]),
                        record(1, 1, NOTIFY | 2, "a message".getBytes(StandardCharsets.US_ASCII)),
                        record(2, 2, QUEUE_READ),
                        // a control group's id before nothing, an action of tomorrow, driver's data
                        record(3, 3, QUEUE_READ | 0x100, new byte[8]),
                        record(4, 4, 0x0010_0063, new byte[5]),
                        record(5, 5, 0x4000_0011, new byte[300]));
        List<TraceEvent> events = TracedDevice.events(file);
        assertThat(events).extracting(TraceEvent::letter).containsExactly('Q', 'Q', '?', '?');
        assertThat(RecordedTrace.read(file, Optional.empty()).requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 47, 48, 50})
    void reportsALastRecordThatIsNotWhole(int kept) throws IOException {
        byte[] last = record(2, 20, COMPLETE_READ, (byte) 1, (byte) 2, (byte) 3);
        Path file = write("cut", record(1, 10, QUEUE_READ), Arrays.copyOf(last, kept));
        RecordedTrace trace = RecordedTrace.read(file, Optional.empty());
        assertThat(trace.requests()).hasSize(1);
        assertThat(trace.notes())
                .singleElement()
                .asString()
                .startsWith(file + ": ends within a record: at byte 48 there are " + kept);
    }

    @Test
    void refusesWhatIsNoRecord() throws IOException {
        byte[] broken = record(2, 20, QUEUE_READ);
        broken[2] ^= 1;
        Path file = write("broken", record(1, 10, QUEUE_READ), broken);
        assertThatThrownBy(() -> sectors(file))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        file
                                + ": record 2 at byte 48: begins with 0x65607407, which is no"
                                + " blktrace record");
    }

    @Test
    void refusesAnotherVersionOfTheFormat() throws IOException {
        byte[] newer = record(2, 20, QUEUE_READ);
        newer[0] = 8;
        Path file = write("newer", newer);
        assertThatThrownBy(() -> sectors(file))
                .hasMessage(
                        file
                                + ": record 1 at byte 0: version 8 of the format; only 7 is"
                                + " read");
    }

    @Test
    void saysWhatItLookedFor() {
        Path name = folder.resolve("nothing");
        assertThatThrownBy(() -> sectors(name))
                .hasMessage(
                        "cannot read %s: there is no such file, and no %s.blktrace.0"
                                .formatted(name, name));
    }

    /** Whatever the bytes: an answer or one line of refusal, and an end. */
    @Test
    void noBytesMakeItFailOtherwise() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<byte[]> records = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                records.add(
                        record(
                                random.nextLong(),
                                random.nextLong(),
                                random.nextInt(),
                                new byte[random.nextInt(40)]));
            }
            Path file = write("random", records.toArray(byte[][]::new));
            byte[] bytes = Files.readAllBytes(file);
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
            Throwable thrown = thrownBy(file);
            assertThat(thrown == null || thrown instanceof IOException)
                    .as("seed %d: %s", seed, thrown)
                    .isTrue();
        }
    }

    private static @Nullable Throwable thrownBy(Path file) {
        try {
            RecordedTrace.read(file, Optional.empty());
            return null;
        } catch (IOException | RuntimeException e) {
            return e;
        }
    }
}
