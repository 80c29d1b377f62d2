package dev.spindle.queue.elevator;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import java.util.ArrayList;
import java.util.List;

/** An elevator, and commands of 8 sectors to put into it. */
final class ElevatorBench {
    static final long MS = 1_000_000;
    static final int SECTORS = 8;

    private final Elevator elevator;

    ElevatorBench(ElevatorSettings settings) {
        elevator = settings.open();
    }

    Elevator elevator() {
        return elevator;
    }

    static RequestPart part(BlockOperation operation, long sector) {
        BlockRequest request =
                new BlockRequest((_, _) -> {}).prepare(operation, sector * 512, SECTORS * 512L, 0);
        return new RequestPart().set(request, sector * 512, SECTORS * 512L);
    }

    DriveCommand read(long sector, int submitter, long nowNs) {
        return add(BlockOperation.READ, sector, submitter, nowNs);
    }

    DriveCommand write(long sector, int submitter, long nowNs) {
        return add(BlockOperation.WRITE, sector, submitter, nowNs);
    }

    private DriveCommand add(BlockOperation operation, long sector, int submitter, long nowNs) {
        DriveCommand command =
                new DriveCommand().begin(part(operation, sector), nowNs).chargedTo(submitter);
        elevator.add(command, nowNs);
        return command;
    }

    /** The first sector of what is handed out and served at once; -1 when nothing is. */
    long serve(long nowNs) {
        DriveCommand next = elevator.next(nowNs);
        if (next == null) {
            return -1;
        }
        elevator.completed(next, nowNs);
        return next.firstSector();
    }

    List<Long> serveAll(long nowNs) {
        List<Long> sectors = new ArrayList<>();
        while (elevator.size() > 0) {
            sectors.add(serve(nowNs));
        }
        return sectors;
    }
}
