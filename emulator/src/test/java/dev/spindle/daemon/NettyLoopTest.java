package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.time.DeviceClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NettyLoopTest {
    private static final long MS = 1_000_000;

    private final DeviceClock clock = DeviceClock.wall();
    private final BlockingQueue<String> runs = new LinkedBlockingQueue<>();
    private EventLoops loops;
    private NettyLoop loop;

    @BeforeEach
    void open() {
        loops = EventLoops.open("test", 1);
        loop = new NettyLoop(loops.next(), clock, 200_000);
    }

    @AfterEach
    void close() throws IOException {
        loops.close();
    }

    private void onLoop(Runnable task) {
        CompletableFuture.runAsync(task, loop).join();
    }

    private String next() throws InterruptedException {
        return String.valueOf(runs.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void knowsItsOwnThread() {
        assertThat(loop.isInside()).isFalse();
        onLoop(() -> runs.add(String.valueOf(loop.isInside())));
        assertThat(runs).containsExactly("true");
    }

    @Test
    void askedTheKernelToWakeItOnTime() throws InterruptedException {
        onLoop(() -> {
            try {
                Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
                Path slack = Path.of("/proc", self.getFileName().toString(), "timerslack_ns");
                runs.add(Files.readString(slack).strip());
            } catch (IOException e) {
                runs.add(e.toString());
            }
        });
        assertThat(next()).isEqualTo("1");
    }

    @Test
    void runsTheTaskAtItsTimeAndNotBefore() throws InterruptedException {
        long deadlineNs = clock.nowNs() + 5 * MS;
        onLoop(() -> loop.runAt(deadlineNs, () -> runs.add("late by " + isLate(deadlineNs))));
        assertThat(next()).isEqualTo("late by true");
    }

    private boolean isLate(long deadlineNs) {
        return clock.nowNs() - deadlineNs >= 0;
    }

    @Test
    void runsOneThatIsOverdueAtOnce() throws InterruptedException {
        onLoop(() -> loop.runAt(clock.nowNs() - MS, () -> runs.add("overdue")));
        assertThat(next()).isEqualTo("overdue");
    }

    @Test
    void forgetsTheTimeAskedForBefore() throws InterruptedException {
        onLoop(() -> {
            long nowNs = clock.nowNs();
            loop.runAt(nowNs + 3_600_000 * MS, () -> runs.add("in an hour"));
            loop.runAt(nowNs + 2 * MS, () -> runs.add("soon"));
        });
        assertThat(next()).isEqualTo("soon");
        onLoop(() -> {
            loop.runAt(clock.nowNs() + 2 * MS, () -> runs.add("never"));
            loop.runAt(DeviceClock.NEVER, () -> runs.add("never"));
            loop.runAt(clock.nowNs() + 4 * MS, () -> runs.add("again"));
        });
        assertThat(next()).isEqualTo("again");
        assertThat(runs).isEmpty();
    }

    @Test
    void mayBeAskedForTheSameTimeAgainFromItsTask() throws InterruptedException {
        long overdueNs = clock.nowNs() - MS;
        int[] left = {3};
        Runnable[] task = new Runnable[1];
        task[0] =
                () -> {
                    runs.add("turn");
                    left[0]--;
                    loop.runAt(left[0] == 0 ? DeviceClock.NEVER : overdueNs, task[0]);
                };
        onLoop(() -> loop.runAt(overdueNs, task[0]));
        for (int i = 0; i < 3; i++) {
            assertThat(next()).isEqualTo("turn");
        }
        assertThat(runs).isEmpty();
    }
}
