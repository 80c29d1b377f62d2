package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every elevator does the same way. */
class MergingTest {
    private static final long MS = ElevatorBench.MS;

    static List<ElevatorSettings> all() {
        return List.of(
                new ElevatorSettings.Noop(),
                new ElevatorSettings.Deadline(500 * MS, 5000 * MS, 2, 16),
                new ElevatorSettings.Anticipatory(125 * MS, 250 * MS, 500 * MS, 125 * MS, 6 * MS),
                new ElevatorSettings.Cfq(4, 8, 500 * MS, 5000 * MS, 16384, 2));
    }

    @ParameterizedTest
    @MethodSource("all")
    void joinsBehindAndInFront(ElevatorSettings settings) {
        var bench = new ElevatorBench(settings);
        DriveCommand command = bench.read(100, 1, 0);
        Elevator elevator = bench.elevator();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.READ, 108), 256))
                .isSameAs(command);
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.READ, 92), 256))
                .isSameAs(command);
        assertThat(command.firstSector()).isEqualTo(92);
        assertThat(command.sectors()).isEqualTo(24);
        assertThat(elevator.next(0)).isSameAs(command);
        assertThat(elevator.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("all")
    void keepsWithinTheLimitAndTheKind(ElevatorSettings settings) {
        var bench = new ElevatorBench(settings);
        bench.read(100, 1, 0);
        Elevator elevator = bench.elevator();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.READ, 108), 15)).isNull();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.WRITE, 108), 256)).isNull();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.DISCARD, 108), 256)).isNull();
        assertThat(elevator.merge(ElevatorBench.part(BlockOperation.READ, 116), 256)).isNull();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aPartThatFillsAGapMakesTwoCommandsOne(ElevatorSettings settings) {
        var bench = new ElevatorBench(settings);
        DriveCommand low = bench.read(100, 1, 0);
        DriveCommand high = bench.read(116, 1, 0);
        Elevator elevator = bench.elevator();
        DriveCommand joined = elevator.merge(ElevatorBench.part(BlockOperation.READ, 108), 256);
        assertThat(joined).isSameAs(low);
        assertThat(elevator.absorbNeighbour(low, 256)).isSameAs(high);
        assertThat(high.takeParts()).isNull();
        assertThat(elevator.size()).isEqualTo(1);
        assertThat(elevator.next(0)).isSameAs(low);
        assertThat(low.sectors()).isEqualTo(24);
        assertThat(elevator.next(0)).isNull();
    }

    @ParameterizedTest
    @MethodSource("all")
    void doesNotJoinWhatHasBeenHandedOut(ElevatorSettings settings) {
        var bench = new ElevatorBench(settings);
        bench.read(100, 1, 0);
        bench.elevator().next(0);
        assertThat(bench.elevator().merge(ElevatorBench.part(BlockOperation.READ, 108), 256))
                .isNull();
    }
}
