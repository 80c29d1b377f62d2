package dev.spindle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.queue.QueueSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageMatcherTest {
    private static final int SEEDS = 20;

    @TempDir private Path folder;

    private static TraceEvent event(int word, long timeNs, long sector, long sectors) {
        return new TraceEvent(
                timeNs, 0, sector, sectors * 512, word, 1, TraceDevice.nbd(0), 0, 0, 0);
    }

    private static int read(TraceAction action) {
        return action.word(Categories.READ);
    }

    @Test
    void aRequestEndsWithTheLastOfItsParts() {
        StringBuilder ended = new StringBuilder();
        StageMatcher matcher =
                new StageMatcher((number, atNs) -> ended.append(number + "@" + atNs + " "));
        matcher.add(event(read(TraceAction.QUEUE), 0, 0, 16));
        matcher.add(event(read(TraceAction.ISSUE), 2, 8, 8));
        matcher.add(event(read(TraceAction.COMPLETE), 5, 8, 8));
        assertThat(ended.toString()).isEmpty();
        matcher.add(event(read(TraceAction.ISSUE), 5, 0, 8));
        matcher.add(event(read(TraceAction.COMPLETE), 9, 0, 8));
        assertThat(ended.toString()).isEqualTo("0@9 ");
        assertThat(matcher.times().q2c().meanNs()).isEqualTo(9);
        assertThat(matcher.times().d2c().meanNs()).isEqualTo(3.5);
    }

    @Test
    void aCommandEndsAllThatJoinedItAndNothingOfAnotherKind() {
        StringBuilder ended = new StringBuilder();
        StageMatcher matcher = new StageMatcher((number, _) -> ended.append(number));
        matcher.add(event(read(TraceAction.QUEUE), 0, 0, 8));
        matcher.add(event(TraceAction.QUEUE.word(Categories.WRITE), 0, 0, 8));
        matcher.add(event(read(TraceAction.QUEUE), 0, 8, 8));
        matcher.add(event(read(TraceAction.COMPLETE), 5, 0, 16));
        assertThat(ended.chars().sorted().boxed().toList()).containsExactly((int) '0', (int) '2');
    }

    @Test
    void ofThoseThatAskForTheSameSectorsTheEldestIsFirst() {
        StringBuilder ended = new StringBuilder();
        StageMatcher matcher = new StageMatcher((number, _) -> ended.append(number));
        matcher.add(event(read(TraceAction.QUEUE), 0, 0, 8));
        matcher.add(event(read(TraceAction.QUEUE), 0, 0, 8));
        matcher.add(event(read(TraceAction.QUEUE), 0, 4, 8));
        matcher.add(event(read(TraceAction.COMPLETE), 5, 0, 8));
        assertThat(ended.toString()).isEqualTo("0");
        matcher.add(event(read(TraceAction.COMPLETE), 6, 4, 8));
        matcher.add(event(read(TraceAction.COMPLETE), 7, 0, 8));
        assertThat(ended.toString()).hasSize(3);
    }

    /** Where no two ask for the same sectors, each request's end is found to the nanosecond. */
    @Test
    void findsTheEndOfEveryRequestOfAQueue() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TracedDevice traced = new TracedDevice(QueueSettings.of(8, 64));
            Path name = folder.resolve("t" + seed);
            traced.trace(
                    name,
                    () -> {
                        long offset = 0;
                        for (int i = 0; i < 200; i++) {
                            long length = (1 + random.nextInt(60)) * 4096L;
                            offset += random.nextInt(3) == 0 ? 8192 : 0;
                            traced.submit(
                                    random.nextBoolean()
                                            ? BlockOperation.READ
                                            : BlockOperation.WRITE,
                                    offset,
                                    length);
                            offset += length;
                            traced.device.pass(random.nextLong(1_000_000));
                        }
                    });
            RecordedTrace trace = RecordedTrace.read(name, Optional.empty());
            long firstNs = traced.made.getFirst().submittedNs();
            double sumNs = 0;
            for (int i = 0; i < traced.made.size(); i++) {
                BlockRequest made = traced.made.get(i);
                sumNs += made.completedNs() - made.submittedNs();
                assertThat(trace.requests().get(i).endedNs())
                        .as("seed %d, request %d", seed, i)
                        .isEqualTo(made.completedNs() - firstNs);
            }
            assertThat(trace.stages().orElseThrow().q2c().meanNs())
                    .as("seed %d", seed)
                    .isCloseTo(sumNs / traced.made.size(), within(1.0));
        }
    }
}
