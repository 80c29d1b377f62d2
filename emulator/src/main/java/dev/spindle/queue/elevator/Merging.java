package dev.spindle.queue.elevator;

import dev.spindle.drive.DriveCommand;
import dev.spindle.drive.RequestPart;
import org.jspecify.annotations.Nullable;

/**
 * Joins parts to waiting commands, behind or in front, and commands that have grown up to each
 * other. Its owner keeps whatever order it has: it is told before and after a command's first
 * sector changes, and which command has gone into which.
 */
final class Merging {
    /** The elevator whose commands these are. */
    interface Owner {
        /** The first sector is about to change. */
        default void beforeMove(Waiting waiting) {}

        default void afterMove(Waiting waiting) {}

        /** {@code gone}, still with its sectors, is to leave: {@code into} has taken its parts. */
        void absorbed(Waiting gone, Waiting into);
    }

    private final MergeIndex index = new MergeIndex();
    private final Owner owner;
    private @Nullable Waiting lastJoined;

    Merging(Owner owner) {
        this.owner = owner;
    }

    void add(Waiting waiting) {
        index.add(waiting);
    }

    void remove(Waiting waiting) {
        index.remove(waiting);
    }

    @Nullable DriveCommand merge(RequestPart part, long maxSectors) {
        Waiting before = index.endingBefore(part, maxSectors);
        if (before != null) {
            index.remove(before);
            before.command.appendPart(part);
            return joined(before);
        }
        Waiting after = index.beginningAfter(part, maxSectors);
        if (after != null) {
            index.remove(after);
            owner.beforeMove(after);
            after.command.prependPart(part);
            owner.afterMove(after);
            return joined(after);
        }
        return null;
    }

    private DriveCommand joined(Waiting waiting) {
        index.add(waiting);
        lastJoined = waiting;
        return waiting.command;
    }

    @Nullable DriveCommand absorbNeighbour(DriveCommand joined, long maxSectors) {
        Waiting grown = lastJoined;
        if (grown == null || grown.command != joined) {
            return null;
        }
        lastJoined = null;
        Waiting after = index.neighbourAfter(grown, maxSectors);
        if (after != null) {
            return absorb(after, grown);
        }
        Waiting before = index.neighbourBefore(grown, maxSectors);
        return before == null ? null : absorb(grown, before);
    }

    /** {@code gone} begins where {@code into} ends. */
    private DriveCommand absorb(Waiting gone, Waiting into) {
        index.remove(gone);
        index.remove(into);
        owner.absorbed(gone, into);
        into.command.absorb(gone.command);
        index.add(into);
        return gone.command;
    }
}
