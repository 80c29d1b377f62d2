package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * The corpus of conversations in {@code nbd-corpus}, as it is and mutated, cut anywhere: whatever
 * comes, the server neither fails nor keeps a buffer. A stream that once made it fail belongs into
 * the corpus. Replay one seed: {@code mvn -pl emulator test -Dtest=NbdFuzzTest -Dspindle.seed=N}.
 */
class NbdFuzzTest {
    private static final int CASES_A_SEED = 60;
    private static final long SEEDS = 40;
    private static final Path CORPUS = Path.of("src/test/resources/nbd-corpus");

    /** What has been a boundary somewhere. */
    private static final int[] VALUES = {
        0,
        1,
        2,
        5,
        6,
        7,
        8,
        11,
        12,
        28,
        32,
        255,
        256,
        511,
        512,
        4096,
        4097,
        65_535,
        65_536,
        65_537,
        1 << 20,
        (1 << 20) + 1,
        32 << 20,
        (32 << 20) + 1,
        1 << 30,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        -1,
        -512
    };

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.spindle.nbd");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void nothingFailed() {
        logger.detachAppender(log);
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
    }

    static Stream<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.sorted().toList().stream();
        }
    }

    static LongStream seeds() {
        Long given = Long.getLong("spindle.seed");
        return given != null ? LongStream.of(given) : LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void theCorpusIsSurvivedWholeAndByteByByte(Path file) throws IOException {
        byte[] stream = Files.readAllBytes(file);
        play(stream, List.of(), false);
        if (stream.length < 4096) {
            play(
                    stream,
                    LongStream.range(0, stream.length).mapToInt(i -> (int) i).boxed().toList(),
                    true);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void mutationsOfItAreSurvived(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Path> files = corpus().toList();
        for (int i = 0; i < CASES_A_SEED; i++) {
            byte[] stream = Files.readAllBytes(files.get(random.nextInt(files.size())));
            byte[] other = Files.readAllBytes(files.get(random.nextInt(files.size())));
            for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
                stream = mutate(stream, other, random);
            }
            int length = stream.length;
            List<Integer> cuts =
                    random.ints(random.nextInt(8), 0, length + 1).sorted().boxed().toList();
            play(stream, cuts, random.nextBoolean());
        }
    }

    private static byte[] mutate(byte[] stream, byte[] other, SplittableRandom random) {
        int at = random.nextInt(stream.length);
        byte[] changed = stream.clone();
        switch (random.nextInt(6)) {
            case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> changed[at] = (byte) random.nextInt();
            case 2, 3 -> {
                int value = VALUES[random.nextInt(VALUES.length)];
                for (int i = 0; i < 4 && at + i < changed.length; i++) {
                    changed[at + i] = (byte) (value >> (24 - 8 * i));
                }
            }
            case 4 -> {
                int from = random.nextInt(other.length);
                return Wire.join(
                        Arrays.copyOf(stream, at), Arrays.copyOfRange(other, from, other.length));
            }
            default -> {
                int end = random.nextInt(at, stream.length) + 1;
                return Wire.join(
                        Arrays.copyOf(stream, end), Arrays.copyOfRange(stream, at, stream.length));
            }
        }
        return changed;
    }

    /** Closing the conversation checks that nothing was kept. */
    private static void play(byte[] stream, List<Integer> cuts, boolean direct) {
        MemoryDevice device = new MemoryDevice(1 << 20);
        device.isDirect = direct;
        device.zeroesFast = direct;
        device.punch(8192, 65_536);
        try (Conversation conversation = new Conversation(device)) {
            int from = 0;
            for (int cut : cuts) {
                sendIfOpen(conversation, Arrays.copyOfRange(stream, from, cut));
                from = cut;
            }
            sendIfOpen(conversation, Arrays.copyOfRange(stream, from, stream.length));
            conversation.received();
        }
    }

    private static void sendIfOpen(Conversation conversation, byte[] bytes) {
        if (conversation.isOpen()) {
            conversation.send(bytes);
        }
    }
}
