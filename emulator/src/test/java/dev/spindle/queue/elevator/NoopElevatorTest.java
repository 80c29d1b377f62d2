package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import org.junit.jupiter.api.Test;

class NoopElevatorTest {
    private static final long MAX_SECTORS = 256;
    private final ElevatorBench bench = new ElevatorBench(new ElevatorSettings.Noop());

    @Test
    void servesInTheOrderOfArrival() {
        for (long sector : new long[] {500, 100, 900, 300}) {
            bench.read(sector, 1, 0);
        }
        assertThat(bench.serveAll(0)).containsExactly(500L, 100L, 900L, 300L);
    }

    @Test
    void joinsAPartToAnyCommandThatWaitsAndKeepsItsPlace() {
        bench.read(100, 1, 0);
        DriveCommand second = bench.read(900, 1, 0);
        bench.read(300, 1, 0);
        assertThat(
                        bench.elevator()
                                .merge(ElevatorBench.part(BlockOperation.READ, 908), MAX_SECTORS))
                .isSameAs(second);
        assertThat(bench.serveAll(0)).containsExactly(100L, 900L, 300L);
    }

    @Test
    void servesACommandOnceThatAnotherHasTakenIn() {
        DriveCommand first = bench.read(100, 1, 0);
        bench.read(116, 1, 0);
        Elevator elevator = bench.elevator();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.READ, 108), MAX_SECTORS))
                .isSameAs(first);
        assertThat(elevator.absorbNeighbour(first, MAX_SECTORS)).isNotNull();
        assertThat(elevator.size()).isEqualTo(1);
        assertThat(bench.serveAll(0)).containsExactly(100L);
    }
}
