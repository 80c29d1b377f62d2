package dev.spindle.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.time.DeviceClock;
import dev.spindle.time.ScaledClock;
import dev.spindle.time.TimeScale;
import dev.spindle.time.VirtualClock;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A loop whose wall clock stands still until it is moved: when its timer runs, to the step. */
class ScaledLoopTest {
    private static final long US = 1000;
    private static final long MS = 1000 * US;

    private final VirtualClock wall = new VirtualClock();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Long> runs = new ArrayList<>();
    private ScaledClock clock = new ScaledClock(wall, TimeScale.REAL);

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private NettyLoop loop(double scale, long wakeAheadNs) {
        clock = new ScaledClock(wall, TimeScale.of(scale));
        return new NettyLoop(channel.eventLoop(), clock, wakeAheadNs);
    }

    /** Lets the wall's time pass in steps; what is due at each runs then. */
    private void pass(long spanNs, long stepNs) {
        for (long leftNs = spanNs; leftNs > 0; leftNs -= stepNs) {
            wall.advanceTo(wall.nowNs() + stepNs);
            channel.advanceTimeBy(stepNs, TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private void note() {
        runs.add(wall.nowNs());
    }

    @ParameterizedTest
    @CsvSource({"1, 50", "10, 5", "0.1, 500", "100, 0.5"})
    void firesWhenTheWallHasComeThatFar(double scale, double expectedMs) {
        NettyLoop loop = loop(scale, 0);
        loop.runAt(50 * MS, this::note);
        pass(600 * MS, 100 * US);
        assertThat(runs).containsExactly(Math.round(expectedMs * MS));
    }

    @Test
    void firesSoonerOrLaterWhenTheScaleIsChangedOnTheWay() {
        NettyLoop loop = loop(1, 0);
        loop.runAt(100 * MS, this::note);
        pass(20 * MS, MS);
        clock.scale(TimeScale.of(10));
        loop.runAt(100 * MS, this::note);
        pass(4 * MS, MS);
        clock.scale(TimeScale.of(0.5));
        loop.runAt(100 * MS, this::note);
        pass(200 * MS, MS);
        assertThat(runs).containsExactly(20 * MS + 4 * MS + 2 * 40 * MS);
    }

    /** The wall's clock goes on by itself here, so that whoever stays awake sees time pass. */
    @Test
    void staysAwakeBeforeTheDeadlineAndFiresAtIt() {
        DeviceClock ticking =
                () -> {
                    wall.advanceTo(wall.nowNs() + 100);
                    return wall.nowNs();
                };
        NettyLoop loop = new NettyLoop(channel.eventLoop(), ticking, 200 * US);
        loop.runAt(10 * MS, this::note);
        pass(10 * MS - 220 * US, 10 * US);
        assertThat(runs).isEmpty();
        pass(20 * US, 10 * US);
        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst()).isBetween(10 * MS, 10 * MS + US);
    }

    @Test
    void sleepsAgainForDeadlinesNearerThanItFirstStayedAwakeFor() {
        WakeLead lead = new WakeLead(500 * US);
        for (int i = 0; i < 2000; i++) {
            lead.stayedAwake();
        }
        assertThat(lead.ns()).isLessThan(150 * US);
    }

    @Test
    void learnsHowLateItIsWokenUpToItsLimit() {
        WakeLead lead = new WakeLead(200 * US);
        for (int i = 0; i < 20_000; i++) {
            lead.woke(i % 1000 < 995 ? 30 * US : 5 * MS);
        }
        assertThat(lead.ns()).isBetween(25 * US, 80 * US);
        for (int i = 0; i < 2000; i++) {
            lead.woke(5 * MS);
        }
        assertThat(lead.ns()).isEqualTo(200 * US);
        assertThat(new WakeLead(0).ns()).isZero();
    }
}
