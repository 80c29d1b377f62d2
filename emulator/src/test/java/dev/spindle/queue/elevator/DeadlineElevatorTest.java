package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineElevatorTest {
    private static final long MS = ElevatorBench.MS;
    private final ElevatorBench bench =
            new ElevatorBench(new ElevatorSettings.Deadline(500 * MS, 5000 * MS, 2, 16));

    @Test
    void sweepsUpwardsAndBeginsAgainAtTheLowest() {
        for (long sector : new long[] {500, 100, 900, 300}) {
            bench.read(sector, 1, 0);
        }
        assertThat(bench.serve(0)).isEqualTo(100);
        assertThat(bench.serve(0)).isEqualTo(300);
        bench.read(200, 1, 0);
        assertThat(bench.serveAll(0)).containsExactly(500L, 900L, 200L);
    }

    @Test
    void readsStarveWritesTwiceOnly() {
        for (int i = 0; i < 4; i++) {
            bench.read(10_000 + 100L * i, 1, 0);
            bench.write(100L * i, 1, 0);
        }
        assertThat(bench.serveAll(0).subList(0, 6))
                .containsExactly(10_000L, 10_100L, 0L, 10_200L, 10_300L, 100L);
    }

    @Test
    void anOverdueCommandComesFirstOnceItsBatchEnds() {
        bench.read(900, 1, 0);
        bench.read(100, 1, 400 * MS);
        bench.read(200, 1, 400 * MS);
        assertThat(bench.serve(400 * MS)).isEqualTo(100);
        assertThat(bench.serve(501 * MS)).isEqualTo(900);
        assertThat(bench.serve(501 * MS)).isEqualTo(200);
    }

    @Test
    void aBatchOfNeighboursEndsAfterFifoBatch() {
        var small = new ElevatorBench(new ElevatorSettings.Deadline(10 * MS, 5000 * MS, 2, 4));
        small.read(5000, 1, 0);
        for (int i = 0; i < 8; i++) {
            small.read(100 + 8L * i, 1, 20 * MS);
        }
        assertThat(small.serve(0)).isEqualTo(100);
        List<Long> rest = small.serveAll(25 * MS);
        assertThat(rest.indexOf(5000L)).isEqualTo(3);
    }

    @Test
    void writesGoWhenThereAreNoReads() {
        bench.write(700, 1, 0);
        bench.write(300, 1, 0);
        assertThat(bench.serveAll(0)).containsExactly(300L, 700L);
    }
}
