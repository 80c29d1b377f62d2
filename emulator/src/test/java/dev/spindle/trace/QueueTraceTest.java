package dev.spindle.trace;

import static dev.spindle.trace.TracedDevice.letters;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockOperations;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DataMover;
import dev.spindle.metrics.Counter;
import dev.spindle.queue.FailingStore;
import dev.spindle.queue.PlugSettings;
import dev.spindle.queue.QueueSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which steps a queue tells, and in which order. */
class QueueTraceTest {
    private static final int KIB = 1024;
    private static final int SEEDS = 20;

    private static final List<BlockOperation> OPERATIONS = BlockOperations.OF_ANY_DEVICE;

    @TempDir private Path folder;

    private Path name() {
        return folder.resolve("trace");
    }

    @Test
    void aRequestIsQueuedGetsARequestIsInsertedIssuedAndCompleted() throws IOException {
        TracedDevice traced = new TracedDevice(QueueSettings.of(128, 128));
        List<TraceEvent> events =
                traced.trace(name(), () -> traced.submit(BlockOperation.READ, 8 * KIB, 4 * KIB));
        assertThat(letters(events)).isEqualTo("QGIDC");
        assertThat(events)
                .allSatisfy(event -> {
                    assertThat(event.sector()).isEqualTo(16);
                    assertThat(event.lengthBytes()).isEqualTo(4 * KIB);
                    assertThat(event.pid()).isEqualTo(1);
                    assertThat(event.device()).isEqualTo(TraceDevice.nbd(0));
                });
        BlockRequest request = traced.made.getFirst();
        assertThat(events.getFirst().timeNs()).isEqualTo(request.submittedNs());
        assertThat(events.get(3).timeNs()).isEqualTo(request.startedNs());
        assertThat(events.getLast().timeNs()).isEqualTo(request.completedNs());
    }

    @Test
    void aLongRequestIsSplitWhereItIsCut() throws IOException {
        TracedDevice traced = new TracedDevice(QueueSettings.of(128, 64));
        List<TraceEvent> events =
                traced.trace(name(), () -> traced.submit(BlockOperation.WRITE, 0, 160 * KIB));
        assertThat(letters(events)).startsWith("QXGIXGIGI");
        assertThat(events.get(1).lengthBytes()).isEqualTo(64 * KIB);
        assertThat(events.get(1).pduNumber()).isEqualTo(128);
        assertThat(events.get(4).pduNumber()).isEqualTo(256);
    }

    @Test
    void neighboursMergeBehindAndInFront() throws IOException {
        QueueSettings plugged =
                QueueSettings.of(128, 128).with(new PlugSettings(true, 10, 3_000_000));
        TracedDevice traced = new TracedDevice(plugged);
        List<TraceEvent> events =
                traced.trace(
                        name(),
                        () -> {
                            traced.submit(BlockOperation.READ, 8 * KIB, 4 * KIB);
                            traced.submit(BlockOperation.READ, 12 * KIB, 4 * KIB);
                            traced.submit(BlockOperation.READ, 4 * KIB, 4 * KIB);
                        });
        assertThat(letters(events)).isEqualTo("QGPIQMQFTDC");
        assertThat(events.get(7).sector()).isEqualTo(8);
        assertThat(events.get(8).pduNumber()).isEqualTo(1);
        assertThat(events.get(9).sector()).isEqualTo(8);
        assertThat(events.get(9).lengthBytes()).isEqualTo(12 * KIB);
    }

    @Test
    void whoFindsThePoolEmptySleepsAndUnplugs() throws IOException {
        QueueSettings settings =
                QueueSettings.of(4, 4).with(new PlugSettings(true, 100, 500_000_000));
        TracedDevice traced = new TracedDevice(settings);
        List<TraceEvent> events =
                traced.trace(name(), () -> traced.submit(BlockOperation.READ, 0, 64 * KIB));
        String letters = letters(events);
        assertThat(letters).startsWith("QXGPIXGI").contains("SU");
        assertThat(count(letters, 'S')).isEqualTo(traced.device.counters().get(Counter.SLEEPS));
        assertThat(count(letters, 'X')).isEqualTo(15);
        assertThat(count(letters, 'G')).isEqualTo(16);
    }

    @Test
    void readAheadThatFindsNoRoomEndsWithAnError() throws IOException {
        TracedDevice other = new TracedDevice(QueueSettings.of(4, 4));
        List<TraceEvent> readAhead =
                other.trace(
                        name(),
                        () ->
                                other.submit(
                                        other.device
                                                .request(BlockOperation.READ, 0, 1 << 20)
                                                .withReadAhead(true)));
        TraceEvent givenUp =
                readAhead.stream().filter(event -> event.letter() == 'C').findFirst().orElseThrow();
        assertThat(givenUp.error()).isEqualTo(11);
        assertThat(givenUp.isReadAhead()).isTrue();
        assertThat(letters(readAhead)).doesNotContain("S");
    }

    @Test
    void nobodyIsToldAfterTheListenerHasGone() throws IOException {
        TracedDevice traced = new TracedDevice(QueueSettings.of(128, 128));
        List<TraceEvent> events =
                traced.trace(
                        name(),
                        () -> {
                            traced.submit(BlockOperation.READ, 0, 4 * KIB);
                            traced.device.queue().listen(null);
                        });
        assertThat(letters(events)).isEqualTo("QGID");
    }

    @Test
    void aFailureIsOnTheCompletion() throws IOException {
        TracedDevice traced =
                new TracedDevice(
                        QueueSettings.of(128, 128),
                        DataMover.inline(new FailingStore(TracedDevice.CAPACITY, 0)));
        List<TraceEvent> events =
                traced.trace(name(), () -> traced.submit(BlockOperation.WRITE, 0, 4 * KIB));
        assertThat(events.getLast().error()).isEqualTo(28);
    }

    @Test
    void kindsOfRequestsAreToldApart() throws IOException {
        TracedDevice traced = new TracedDevice(QueueSettings.of(128, 128));
        List<TraceEvent> events =
                traced.trace(
                        name(),
                        () -> {
                            traced.submit(BlockOperation.FLUSH, 0, 0);
                            traced.submit(BlockOperation.DISCARD, 0, 1 << 20);
                            traced.submit(
                                    traced.device
                                            .request(BlockOperation.READ, 0, 512)
                                            .withFua(true));
                        });
        List<TraceEvent> queued = events.stream().filter(event -> event.letter() == 'Q').toList();
        assertThat(queued)
                .extracting(TraceEvent::operation)
                .containsExactly(BlockOperation.FLUSH, BlockOperation.DISCARD, BlockOperation.READ);
        assertThat(queued.get(0).isFlush()).isTrue();
        assertThat(queued.get(2).isFua()).isTrue();
    }

    /** Every part gets or joins a request, every command ends, nothing goes back in time. */
    @Test
    void whateverIsAskedTheStepsAddUp() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            TracedDevice traced = new TracedDevice(settings(seed));
            List<TraceEvent> events = traced.trace(name(), work(traced, seed));
            String letters = letters(events);
            String why = "seed " + seed;
            var counters = traced.device.counters();
            assertThat(count(letters, 'Q')).as(why).isEqualTo(traced.made.size());
            assertThat(count(letters, 'M') + count(letters, 'F'))
                    .as(why)
                    .isEqualTo(counters.get(Counter.MERGES));
            assertThat(count(letters, 'G') + counters.get(Counter.MERGES))
                    .as(why)
                    .isEqualTo(counters.get(Counter.PARTS));
            assertThat(count(letters, 'I')).as(why).isEqualTo(count(letters, 'G'));
            assertThat(count(letters, 'D')).as(why).isEqualTo(counters.get(Counter.COMMANDS));
            assertThat(count(letters, 'C')).as(why).isEqualTo(counters.get(Counter.COMMANDS));
            assertThat(count(letters, 'S')).as(why).isEqualTo(counters.get(Counter.SLEEPS));
            assertThat(events)
                    .as(why)
                    .isSortedAccordingTo((a, b) -> {
                        int byTime = Long.compare(a.timeNs(), b.timeNs());
                        return byTime != 0 ? byTime : Integer.compare(a.sequence(), b.sequence());
                    });
        }
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws IOException {
        byte[][] files = new byte[3][];
        long[] seeds = {7, 7, 8};
        for (int i = 0; i < files.length; i++) {
            TracedDevice traced = new TracedDevice(settings(7));
            traced.trace(name(), work(traced, seeds[i]));
            files[i] = Files.readAllBytes(folder.resolve("trace.blktrace.0"));
        }
        assertThat(files[1]).isEqualTo(files[0]);
        assertThat(files[2]).isNotEqualTo(files[0]);
    }

    private static QueueSettings settings(long seed) {
        return QueueSettings.of(4 + (int) seed % 5, 64)
                .with(new PlugSettings(seed % 2 == 0, 4, 3_000_000));
    }

    private static Runnable work(TracedDevice traced, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> {
            for (int i = 0; i < 300; i++) {
                BlockOperation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
                boolean isFlush = operation == BlockOperation.FLUSH;
                long offset = isFlush ? 0 : random.nextLong(64) * 4 * KIB;
                long length = isFlush ? 0 : (1 + random.nextLong(40)) * 4 * KIB;
                traced.submit(operation, offset, length);
                traced.device.pass(random.nextLong(3_000_000));
            }
        };
    }

    private static long count(String letters, char letter) {
        return letters.chars().filter(each -> each == letter).count();
    }
}
