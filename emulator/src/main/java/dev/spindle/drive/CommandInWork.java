package dev.spindle.drive;

import dev.spindle.time.DeviceClock;
import org.jspecify.annotations.Nullable;

/**
 * The one command that a drive has in work, and when it ends: at a moment known when it is begun,
 * or once its data has been moved, if that is later. Owned by its drive.
 */
public final class CommandInWork {
    private @Nullable DriveCommand command;
    private long endNs = DeviceClock.NEVER;

    public boolean isNone() {
        return command == null;
    }

    /** Only where there is none. */
    public void begin(DriveCommand newCommand, long nowNs) {
        assert command == null;
        command = newCommand;
        newCommand.started(nowNs);
    }

    /** Parts of a nanosecond count as a whole one. */
    public void endsAt(double atNs) {
        endNs = (long) Math.ceil(atNs);
    }

    /** Takes it out where it has ended by then, with the moment at which it did; null else. */
    public @Nullable DriveCommand takeEnded(long nowNs) {
        DriveCommand done = command;
        if (done == null || endNs - nowNs > 0 || !done.isDataMoved()) {
            return null;
        }
        done.completed(endNs);
        command = null;
        endNs = DeviceClock.NEVER;
        return done;
    }

    /**
     * When to look again: until the store thread is done no time can end the command, and it tells
     * by itself.
     */
    public long nextDeadlineNs() {
        boolean waitsForData = command != null && !command.isDataMoved();
        return waitsForData ? DeviceClock.NEVER : endNs;
    }
}
