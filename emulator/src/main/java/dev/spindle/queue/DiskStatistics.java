package dev.spindle.queue;

import dev.spindle.block.BlockOperation;
import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;

/**
 * What the kernel counts of a disk, in the kernel's units: its requests, which are commands here,
 * once they have ended (Documentation/block/stat.rst). Owned by the loop that owns the device.
 */
public final class DiskStatistics {
    private final Group reads = new Group();
    private final Group writes = new Group();
    private final Group discards = new Group();
    private final Group flushes = new Group();

    private long busyNs;
    private long busyUntilNs = Long.MIN_VALUE;

    /** What is counted of commands of one kind. */
    public static final class Group {
        private long commands;
        private long merges;
        private long sectors;
        private long spentNs;

        /** Those that have ended. */
        public long commands() {
            return commands;
        }

        /** Pieces that joined a command already queued. */
        public long merges() {
            return merges;
        }

        /** Sectors of 512 bytes of the commands that have ended. */
        public long sectors() {
            return sectors;
        }

        /** From when they were queued to their end, summed over all commands. */
        public long spentNs() {
            return spentNs;
        }
    }

    void merged(BlockOperation operation) {
        of(operation).merges++;
    }

    void completed(DriveCommand command) {
        long endNs = command.completedNs();
        if (!isPassThrough(command)) {
            Group group = of(command.operation());
            group.commands++;
            group.sectors += command.sectors();
            group.spentNs += endNs - command.queuedNs();
        }
        long fromNs = Math.max(command.startedNs(), busyUntilNs);
        if (endNs > fromNs) {
            busyNs += endNs - fromNs;
            busyUntilNs = endNs;
        }
    }

    /** What a program sends the drive in its own language is not counted there either. */
    private static boolean isPassThrough(DriveCommand command) {
        RequestPart part = command.firstPart();
        return part != null && part.request().isPassThrough();
    }

    private Group of(BlockOperation operation) {
        return switch (operation) {
            case READ -> reads;
            case WRITE, WRITE_ZEROES -> writes;
            case DISCARD -> discards;
            case FLUSH -> flushes;
            case COMMAND -> throw new AssertionError("it passes through");
        };
    }

    public Group reads() {
        return reads;
    }

    /** WRITE and WRITE_ZEROES. */
    public Group writes() {
        return writes;
    }

    public Group discards() {
        return discards;
    }

    public Group flushes() {
        return flushes;
    }

    /** While the drive worked on at least one command that has ended. */
    public long busyNs() {
        return busyNs;
    }
}
