package dev.spindle.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockOperations;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.disk.Disks;
import dev.spindle.drive.disk.IdeDisk;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.RequestQueue;
import dev.spindle.trace.RecordedRequest;
import dev.spindle.trace.RecordedTrace;
import dev.spindle.trace.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    private static final long CAPACITY = 64 << 20;
    private static final long MS = 1_000_000;

    private static final List<BlockOperation> OPERATIONS = BlockOperations.OF_ANY_DEVICE;

    @TempDir private Path folder;

    private static Target target(long capacityBytes, int blockBytes) {
        RequestQueue queue =
                new RequestQueue(
                        QueueSettings.of(16, 128),
                        new IdeDisk(
                                Disks.simple(),
                                capacityBytes,
                                DataMover.inline(new VoidStore(capacityBytes))),
                        new Counters());
        return new Target(queue, queue, capacityBytes, blockBytes);
    }

    private static ReplayResult run(List<RecordedRequest> requests, Speed speed) {
        return Replay.run(
                requests, target(CAPACITY, 512), speed, Overhang.REFUSE, Optional.empty());
    }

    private static RecordedRequest read(long timeNs, long offsetBytes) {
        return new RecordedRequest(timeNs, BlockOperation.READ, offsetBytes, 4096);
    }

    private static RecordedRequest read(long timeNs, long offsetBytes, long endedNs) {
        return new RecordedRequest(
                timeNs, BlockOperation.READ, offsetBytes, 4096, false, false, endedNs);
    }

    private static List<RecordedRequest> scattered(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<RecordedRequest> requests = new ArrayList<>();
        long timeNs = 0;
        for (int i = 0; i < count; i++) {
            BlockOperation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            boolean isFlush = operation == BlockOperation.FLUSH;
            long length = isFlush ? 0 : (1 + random.nextInt(64)) * 4096L;
            long offset = isFlush ? 0 : random.nextLong((CAPACITY - length) >> 12) << 12;
            requests.add(new RecordedRequest(timeNs, operation, offset, length));
            timeNs += random.nextLong(20 * MS);
        }
        return requests;
    }

    @Test
    void asRecordedKeepsToTheTracesTimes() {
        ReplayResult result =
                run(List.of(read(0, 0), read(500 * MS, 8 << 20)), new Speed.AsRecorded());
        assertThat(result.all().count()).isEqualTo(2);
        assertThat(result.durationNs()).isBetween(500 * MS, 540 * MS);
        assertThat(result.bytes()).isEqualTo(8192);
    }

    @Test
    void asFastKeepsSoManyUnderWay() {
        List<RecordedRequest> requests = scattered(1, 400);
        ReplayResult one = run(requests, new Speed.AsFast(1));
        ReplayResult many = run(requests, new Speed.AsFast(16));
        assertThat(one.durationNs()).isGreaterThan((long) (one.all().meanNs() * 399));
        assertThat(many.all().meanNs()).isGreaterThan(4 * one.all().meanNs());
        assertThat(many.all().count()).isEqualTo(400);
    }

    @Test
    void dependentKeepsTheThinkTimeAfterTheModelsOwnEnd() {
        List<RecordedRequest> requests =
                List.of(read(0, 0, 5 * MS), read(105 * MS, 8 << 20, 110 * MS));
        ReplayResult result = run(requests, new Speed.Dependent());
        double servedNs = result.all().meanNs() * 2;
        assertThat((double) result.durationNs()).isEqualTo(servedNs + 100 * MS);
    }

    @Test
    void dependentKeepsTheDistanceOfABurst() {
        List<RecordedRequest> requests =
                List.of(read(0, 0, 50 * MS), read(2 * MS, 1 << 20, 51 * MS), read(3 * MS, 2 << 20));
        ReplayResult result = run(requests, new Speed.Dependent());
        assertThat(result.durationNs()).isLessThan(50 * MS);
        assertThat(result.all().count()).isEqualTo(3);
    }

    @Test
    void dependentNeedsATraceThatSaysWhenRequestsEnded() {
        assertThatThrownBy(() -> run(List.of(read(0, 0)), new Speed.Dependent()))
                .hasMessage(
                        "speed dependent: the trace does not say when requests ended; a blktrace"
                                + " with events of kind C does");
    }

    /** What a replay of our own disk writes, replayed as recorded on the same, is the same. */
    @Test
    void aTraceOfTheModelReplaysToTheSameTimes() throws IOException {
        for (long seed = 1; seed <= 10; seed++) {
            Path first = folder.resolve("first" + seed);
            Path second = folder.resolve("second" + seed);
            ReplayResult once = traced(scattered(seed, 300), first);
            RecordedTrace read = RecordedTrace.read(first, Optional.empty());
            ReplayResult twice = traced(read.requests(), second);
            assertThat(twice.all().meanNs()).as("seed %d", seed).isEqualTo(once.all().meanNs());
            assertThat(twice.durationNs()).as("seed %d", seed).isEqualTo(once.durationNs());
            assertThat(read.stages().orElseThrow().d2c().meanNs())
                    .as("seed %d", seed)
                    .isEqualTo(once.stages().d2c().meanNs());
            assertThat(Files.mismatch(file(first), file(second))).as("seed %d", seed).isEqualTo(-1);
        }
    }

    private static Path file(Path name) {
        return Path.of(name + ".blktrace.0");
    }

    private static ReplayResult traced(List<RecordedRequest> requests, Path name)
            throws IOException {
        try (TraceFile file = TraceFile.create(name)) {
            return Replay.run(
                    requests,
                    target(CAPACITY, 512),
                    new Speed.AsRecorded(),
                    Overhang.REFUSE,
                    Optional.of(file));
        }
    }

    @Test
    void refusesWhatIsBeyondTheDevicesEnd() {
        List<RecordedRequest> requests = List.of(read(0, 0), read(0, CAPACITY - 2048));
        assertThatThrownBy(() -> run(requests, new Speed.AsRecorded()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "request 2, READ offset=67106816 length=4096, is beyond the device's end,"
                                + " 67108864; --wrap or --scale would bring it in");
    }

    @Test
    void refusesPartsOfBlocks() {
        List<RecordedRequest> requests = List.of(read(0, 512));
        assertThatThrownBy(() ->
                        Replay.run(
                                requests,
                                target(CAPACITY, 2048),
                                new Speed.AsRecorded(),
                                Overhang.REFUSE,
                                Optional.empty()))
                .hasMessage(
                        "request 1, READ offset=512 length=4096, is not of whole blocks of the"
                                + " device, 2048");
    }

    @Test
    void wrapsAndScales() {
        List<RecordedRequest> requests =
                List.of(read(0, CAPACITY + 8192), read(0, 3 * CAPACITY - 4096), read(0, 0));
        assertThat(offsets(requests, Overhang.WRAP)).containsExactly(8192L, CAPACITY - 4096, 0L);
        List<Long> scaled = offsets(requests, Overhang.SCALE);
        assertThat(scaled.get(0)).isBetween(CAPACITY / 3, CAPACITY / 3 + 8192);
        assertThat(scaled.get(1)).isBetween(CAPACITY - 8192, CAPACITY - 4096);
        assertThat(scaled.get(2)).isZero();
    }

    private static List<Long> offsets(List<RecordedRequest> requests, Overhang overhang) {
        return Fitting.fit(requests, target(CAPACITY, 512), overhang).stream()
                .map(RecordedRequest::offsetBytes)
                .toList();
    }
}
