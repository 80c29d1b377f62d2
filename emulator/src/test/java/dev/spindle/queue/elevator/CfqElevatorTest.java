package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CfqElevatorTest {
    private static final long MS = ElevatorBench.MS;
    private final ElevatorBench bench =
            new ElevatorBench(new ElevatorSettings.Cfq(4, 8, 500 * MS, 5000 * MS, 16384, 2));

    @Test
    void aFloodOfOneDoesNotKeepAnotherWaiting() {
        for (int i = 0; i < 100; i++) {
            bench.read(100L * i, 1, 0);
        }
        bench.read(50_000, 2, 0);
        assertThat(bench.serveAll(0).subList(0, 4)).contains(50_000L);
    }

    @Test
    void busySubmittersAdvanceAlike() {
        for (int i = 0; i < 40; i++) {
            for (int submitter = 1; submitter <= 4; submitter++) {
                bench.read(100_000L * submitter + 100L * i, submitter, 0);
            }
        }
        List<Long> half = bench.serveAll(0).subList(0, 80);
        for (int submitter = 1; submitter <= 4; submitter++) {
            long from = 100_000L * submitter;
            assertThat(half.stream().filter(sector -> sector >= from && sector < from + 100_000))
                    .hasSizeBetween(16, 24);
        }
    }

    @Test
    void aRoundGoesUpwardsFromTheHead() {
        bench.read(700, 1, 0);
        bench.read(300, 2, 0);
        bench.read(500, 3, 0);
        assertThat(bench.serveAll(0)).containsExactly(300L, 500L, 700L);
    }

    @Test
    void anOverdueCommandComesFirst() {
        bench.read(900_000, 1, 0);
        for (int i = 0; i < 10; i++) {
            bench.read(100 + 100L * i, 1, 400 * MS);
        }
        assertThat(bench.serveAll(600 * MS).subList(0, 4)).contains(900_000L);
    }

    @Test
    void thePoolIsSharedOut() {
        for (int i = 0; i < 8; i++) {
            bench.read(100L * i, 1, 0);
            bench.read(10_000 + 100L * i, 2, 0);
        }
        Elevator elevator = bench.elevator();
        assertThat(elevator.exempts(1, false, 32)).isTrue();
        assertThat(elevator.exempts(1, false, 16)).isFalse();
        assertThat(elevator.exempts(1, true, 16)).isTrue();
        assertThat(elevator.exempts(3, false, 16)).isTrue();
    }
}
