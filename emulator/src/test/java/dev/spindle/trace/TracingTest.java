package dev.spindle.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.QueueLimits;
import dev.spindle.drive.DataMover;
import dev.spindle.drive.NullDrive;
import dev.spindle.media.VoidStore;
import dev.spindle.metrics.Counters;
import dev.spindle.queue.DeviceIdentity;
import dev.spindle.queue.OwningLoop;
import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.QueuedDevice;
import dev.spindle.queue.RequestQueue;
import dev.spindle.queue.StoreView;
import dev.spindle.queue.Submitter;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import dev.spindle.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trace switched on and off while a device works; the test's thread is its loop. */
@Timeout(60)
class TracingTest {
    private static final long CAPACITY = 1 << 20;

    @TempDir private Path folder;

    private final Tracing tracing = new Tracing(InstantSource.fixed(Instant.ofEpochSecond(1)));
    private final QueuedDevice device = device();
    private final TraceSwitch trace = tracing.of(device, 3);

    @AfterEach
    void close() throws IOException {
        tracing.close();
    }

    private static QueuedDevice device() {
        RequestQueue queue =
                new RequestQueue(
                        QueueSettings.of(128, 128),
                        new NullDrive(DataMover.inline(new VoidStore(CAPACITY))),
                        new Counters());
        OwningLoop loop =
                new OwningLoop() {
                    @Override
                    public void execute(Runnable task) {
                        task.run();
                    }

                    @Override
                    public boolean isInside() {
                        return true;
                    }

                    @Override
                    public void runAt(long deadlineNs, Runnable task) {
                        // Nothing is ever due.
                    }
                };
        DeviceIdentity identity =
                new DeviceIdentity(
                        "hda",
                        "none",
                        CAPACITY,
                        new QueueLimits(512, 512, 4096, 128),
                        false,
                        false);
        return new QueuedDevice(
                identity,
                queue,
                256,
                new ScaledClock(new VirtualClock(), TimeScale.REAL),
                loop,
                StoreView.opaque());
    }

    private void read() {
        BlockRequest request =
                new BlockRequest((_, _) -> {}).prepare(BlockOperation.READ, 0, 4096, 0);
        assertThat(device.publish(request, new Submitter("client", () -> {}))).isTrue();
        device.run();
    }

    @Test
    void hasWhatHappenedBetweenStartAndStop() throws IOException {
        Path name = folder.resolve("t");
        read();
        assertThat(trace.start(name).join().path()).isEqualTo(folder.resolve("t.blktrace.0"));
        read();
        read();
        TraceReport report = trace.stop().join();
        read();
        assertThat(report.dropped()).isZero();
        assertThat(report.fault()).isEmpty();
        List<TraceEvent> events = TracedDevice.events(name);
        assertThat(TracedDevice.letters(events)).isEqualTo("QGIDCQGIDC");
        assertThat(events.getFirst().device()).isEqualTo(new TraceDevice(43, 3));
        // the time of day and two names besides
        assertThat(report.records()).isEqualTo(events.size() + 3);
        assertThat(trace.report()).isEmpty();
    }

    @Test
    void oneAtATimeAndEachToAFileOfItsOwn() {
        trace.start(folder.resolve("t")).join();
        assertThat(trace.report()).isPresent();
        assertRefused(
                () -> trace.start(folder.resolve("u")).join(),
                "device hda is being traced already, to " + folder.resolve("t.blktrace.0"));
        assertRefused(
                () -> tracing.of(device(), 4).start(folder.resolve("t")).join(),
                "another device is being traced to " + folder.resolve("t.blktrace.0"));
        trace.stop().join();
        assertRefused(() -> trace.stop().join(), "device hda is not being traced");
    }

    @Test
    void saysWhyAFileCannotBeWritten() {
        assertRefused(
                () -> trace.start(folder.resolve("none/t")).join(),
                "cannot write the trace "
                        + folder.resolve("none/t.blktrace.0")
                        + ": no such file or folder");
        assertThat(trace.report()).isEmpty();
    }

    private static void assertRefused(Runnable attempt, String why) {
        assertThatThrownBy(attempt::run)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage(why);
    }

    @Test
    void whatFindsNoRoomIsDroppedAndCounted() {
        TraceBuffer buffer = new TraceBuffer(1 << 12);
        BlkTraceEncoder encoder = new BlkTraceEncoder(TraceDevice.nbd(0), buffer, new TraceClock());
        for (int i = 0; i < 1000; i++) {
            encoder.timestamp(i, i, 0);
        }
        long[] taken = {0};
        buffer.drainTo(record -> ++taken[0] > 0);
        assertThat(taken[0]).isPositive();
        assertThat(buffer.dropped()).isEqualTo(1000 - taken[0]);
        encoder.timestamp(1000, 1000, 0);
        buffer.drainTo(record -> ++taken[0] > 0);
        assertThat(buffer.dropped()).isEqualTo(1001 - taken[0]);
    }

    @Test
    void aFullDiskEndsTheTraceAndNothingElse() throws IOException {
        LiveTrace full = LiveTrace.open(fullDisk(), 1 << 16);
        BlkTraceEncoder encoder =
                new BlkTraceEncoder(TraceDevice.nbd(0), full.sink(), new TraceClock());
        encoder.timestamp(1, 1, 0);
        full.drain();
        encoder.timestamp(2, 2, 0);
        full.close();
        assertThat(full.report().fault())
                .hasValueSatisfying(why -> assertThat(why).contains("No space left on device"));
        assertThat(full.report().dropped()).isPositive();
    }

    private Path fullDisk() throws IOException {
        Files.createSymbolicLink(folder.resolve("full.blktrace.0"), Path.of("/dev/full"));
        return folder.resolve("full");
    }
}
