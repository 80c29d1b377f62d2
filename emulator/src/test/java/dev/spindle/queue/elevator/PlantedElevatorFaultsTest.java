package dev.spindle.queue.elevator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.PlantedFault;
import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of the elevators, and that each of it is noticed where it does not. */
class PlantedElevatorFaultsTest {
    private static final long MS = ElevatorBench.MS;
    private static final ElevatorSettings DEADLINE =
            new ElevatorSettings.Deadline(500 * MS, 5000 * MS, 2, 16);
    private static final ElevatorSettings ANTICIPATORY =
            new ElevatorSettings.Anticipatory(125 * MS, 250 * MS, 500 * MS, 125 * MS, 7 * MS);
    private static final ElevatorSettings CFQ =
            new ElevatorSettings.Cfq(4, 8, 125 * MS, 5000 * MS, 16384, 2);

    static Stream<PlantedFault<Elevator>> faults() {
        return Stream.of(
                new PlantedFault<>(
                        "noop: the last comes first",
                        () -> new ElevatorSettings.Noop().open(),
                        LastFirst::new,
                        PlantedElevatorFaultsTest::firstComeFirstServed),
                new PlantedFault<>(
                        "deadline: its clock stands still",
                        DEADLINE::open,
                        () ->
                                new Delegating(DEADLINE.open()) {
                                    @Override
                                    public @Nullable DriveCommand next(long nowNs) {
                                        return super.next(0);
                                    }
                                },
                        PlantedElevatorFaultsTest::anOverdueReadIsNotLeftBehind),
                new PlantedFault<>(
                        "anticipatory: it does not wait",
                        ANTICIPATORY::open,
                        () ->
                                new Delegating(ANTICIPATORY.open()) {
                                    @Override
                                    public @Nullable DriveCommand next(long nowNs) {
                                        return forceNext(nowNs);
                                    }
                                },
                        PlantedElevatorFaultsTest::theDriveIsKeptForAReadersNextRead),
                new PlantedFault<>(
                        "cfq: all are one",
                        CFQ::open,
                        () ->
                                new Delegating(CFQ.open()) {
                                    @Override
                                    public void add(DriveCommand command, long nowNs) {
                                        super.add(command.chargedTo(1), nowNs);
                                    }
                                },
                        PlantedElevatorFaultsTest::nobodyWaitsForAnothersWholeQueue),
                new PlantedFault<>(
                        "merging: never",
                        DEADLINE::open,
                        () ->
                                new Delegating(DEADLINE.open()) {
                                    @Override
                                    public @Nullable DriveCommand merge(
                                            RequestPart part, long most) {
                                        return null;
                                    }
                                },
                        PlantedElevatorFaultsTest::aNeighbourJoins),
                lost("noop", new ElevatorSettings.Noop()),
                lost("deadline", DEADLINE),
                lost("anticipatory", ANTICIPATORY),
                lost("cfq", CFQ));
    }

    private static PlantedFault<Elevator> lost(String name, ElevatorSettings settings) {
        return new PlantedFault<>(
                name + ": one command is lost",
                settings::open,
                () ->
                        new Delegating(settings.open()) {
                            private int added;

                            @Override
                            public void add(DriveCommand command, long nowNs) {
                                added++;
                                if (added != 7) {
                                    super.add(command, nowNs);
                                }
                            }
                        },
                PlantedElevatorFaultsTest::everyCommandComesOutOnce);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isNoticed(PlantedFault<Elevator> fault) {
        fault.verify();
    }

    private static DriveCommand add(Elevator elevator, long sector, int submitter, long nowNs) {
        DriveCommand command =
                new DriveCommand()
                        .begin(ElevatorBench.part(BlockOperation.READ, sector), nowNs)
                        .chargedTo(submitter);
        elevator.add(command, nowNs);
        return command;
    }

    private static DriveCommand taken(Elevator elevator, long nowNs) {
        DriveCommand next = elevator.next(nowNs);
        if (next == null) {
            throw new AssertionError("nothing is handed out");
        }
        return next;
    }

    private static List<Long> serveAll(Elevator elevator, long nowNs) {
        List<Long> sectors = new ArrayList<>();
        for (DriveCommand next = elevator.forceNext(nowNs);
                next != null;
                next = elevator.forceNext(nowNs)) {
            elevator.completed(next, nowNs);
            sectors.add(next.firstSector());
        }
        return sectors;
    }

    private static void firstComeFirstServed(Elevator elevator) {
        for (long sector : new long[] {500, 100, 900}) {
            add(elevator, sector, 1, 0);
        }
        assertThat(serveAll(elevator, 0)).containsExactly(500L, 100L, 900L);
    }

    private static void anOverdueReadIsNotLeftBehind(Elevator elevator) {
        add(elevator, 900_000, 1, 0);
        for (int i = 0; i < 100; i++) {
            add(elevator, 100L * i, 2, 0);
        }
        List<Long> served = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            DriveCommand next = taken(elevator, 600 * MS);
            elevator.completed(next, 600 * MS);
            served.add(next.firstSector());
        }
        assertThat(served).contains(900_000L);
    }

    private static void theDriveIsKeptForAReadersNextRead(Elevator elevator) {
        add(elevator, 100, 1, 0);
        DriveCommand first = taken(elevator, 0);
        add(elevator, 900_000, 2, MS);
        elevator.completed(first, MS);
        assertThat(elevator.next(MS)).isNull();
        add(elevator, 108, 1, 2 * MS);
        DriveCommand awaited = taken(elevator, 2 * MS);
        assertThat(awaited.firstSector()).isEqualTo(108);
    }

    private static void nobodyWaitsForAnothersWholeQueue(Elevator elevator) {
        for (int i = 0; i < 100; i++) {
            add(elevator, 100L * i, 1, 0);
        }
        add(elevator, 900_000, 2, 0);
        assertThat(serveAll(elevator, 0).indexOf(900_000L)).isLessThan(20);
    }

    private static void aNeighbourJoins(Elevator elevator) {
        add(elevator, 100, 1, 0);
        RequestPart next = ElevatorBench.part(BlockOperation.READ, 108);
        assertThat(elevator.merge(next, 256)).isNotNull();
    }

    private static void everyCommandComesOutOnce(Elevator elevator) {
        SplittableRandom random = new SplittableRandom(1);
        List<Long> added = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            long sector = 1000L * i + 8L * random.nextInt(10);
            add(elevator, sector, 1 + random.nextInt(3), i);
            added.add(sector);
        }
        assertThat(serveAll(elevator, 100)).containsExactlyInAnyOrderElementsOf(added);
    }

    /** Another elevator, in all that a fault does not change. */
    private static class Delegating implements Elevator {
        private final Elevator elevator;

        Delegating(Elevator elevator) {
            this.elevator = elevator;
        }

        @Override
        public @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
            return elevator.merge(part, maxSectors);
        }

        @Override
        public @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
            return elevator.absorbNeighbour(joined, maxSectors);
        }

        @Override
        public void add(DriveCommand command, long nowNs) {
            elevator.add(command, nowNs);
        }

        @Override
        public @Nullable DriveCommand next(long nowNs) {
            return elevator.next(nowNs);
        }

        @Override
        public @Nullable DriveCommand forceNext(long nowNs) {
            return elevator.forceNext(nowNs);
        }

        @Override
        public void completed(DriveCommand command, long nowNs) {
            elevator.completed(command, nowNs);
        }

        @Override
        public int size() {
            return elevator.size();
        }
    }

    /** A stack. */
    private static final class LastFirst extends Delegating {
        private final ArrayDeque<DriveCommand> stack = new ArrayDeque<>();

        LastFirst() {
            super(new ElevatorSettings.Noop().open());
        }

        @Override
        public void add(DriveCommand command, long nowNs) {
            stack.push(command);
        }

        @Override
        public @Nullable DriveCommand forceNext(long nowNs) {
            return stack.poll();
        }
    }
}
