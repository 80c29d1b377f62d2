package dev.spindle.queue.elevator;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import org.jspecify.annotations.Nullable;

/** A command in an elevator: what the kernel hangs on a request's elevator_private. */
final class Waiting {
    static final int READ = 0;
    static final int WRITE = 1;

    final DriveCommand command;
    final int direction;
    long deadlineNs;
    @Nullable Waiting earlier;
    @Nullable Waiting later;

    Waiting(DriveCommand command, long deadlineNs) {
        this.command = command;
        this.deadlineNs = deadlineNs;
        direction = command.operation().isWrite() ? WRITE : READ;
    }

    long firstSector() {
        return command.firstSector();
    }

    /** READ and WRITE join their like; nothing joins the rest. */
    boolean isMergeable() {
        return isMergeable(command.operation());
    }

    static boolean isMergeable(BlockOperation operation) {
        return operation == BlockOperation.READ || operation == BlockOperation.WRITE;
    }
}
