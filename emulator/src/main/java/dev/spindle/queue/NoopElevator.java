package dev.spindle.queue;

import dev.spindle.block.BlockOperation;
import dev.spindle.block.BlockRequest;
import dev.spindle.block.Sectors;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * First in, first out, with a merge search over the whole queue, newest first (Linux 2.6
 * noop-iosched). Two parts join only if they are of one kind: both reads or both writes, of the
 * same FUA; nothing joins a FLUSH, DISCARD or WRITE_ZEROES.
 */
final class NoopElevator implements Elevator {
    private final ArrayDeque<DriveCommand> waiting = new ArrayDeque<>();

    @Override
    public boolean merge(RequestPart part, long maxSectors) {
        long sectors = part.lengthBytes() >> Sectors.SHIFT;
        if (waiting.isEmpty()
                || sectors >= maxSectors
                || !isMergeable(part.request().operation())) {
            return false;
        }
        for (Iterator<DriveCommand> newestFirst = waiting.descendingIterator();
                newestFirst.hasNext(); ) {
            DriveCommand command = newestFirst.next();
            if (command.sectors() + sectors <= maxSectors
                    && isAlike(command, part.request())
                    && join(command, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean join(DriveCommand command, RequestPart part) {
        long first = part.offsetBytes() >> Sectors.SHIFT;
        if (first == command.endSector()) {
            command.appendPart(part);
            return true;
        }
        if (first + (part.lengthBytes() >> Sectors.SHIFT) == command.firstSector()) {
            command.prependPart(part);
            return true;
        }
        return false;
    }

    private static boolean isAlike(DriveCommand command, BlockRequest request) {
        return command.operation() == request.operation() && command.isFua() == request.isFua();
    }

    private static boolean isMergeable(BlockOperation operation) {
        return operation == BlockOperation.READ || operation == BlockOperation.WRITE;
    }

    @Override
    public void add(DriveCommand command) {
        waiting.addLast(command);
    }

    @Override
    public @Nullable DriveCommand next() {
        return waiting.pollFirst();
    }

    @Override
    public int size() {
        return waiting.size();
    }
}
