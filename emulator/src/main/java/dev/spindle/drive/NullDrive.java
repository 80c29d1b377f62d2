package dev.spindle.drive;

import dev.spindle.time.DeviceClock;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A drive that takes no time at all: a command has ended as soon as its data has been moved. */
public final class NullDrive implements Drive {
    private final DataMover mover;
    private final ArrayDeque<DriveCommand> begun = new ArrayDeque<>();

    public NullDrive(DataMover mover) {
        this.mover = mover;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void start(DriveCommand command, long nowNs) {
        command.started(nowNs);
        begun.addLast(command);
        mover.begin(command);
    }

    @Override
    public @Nullable DriveCommand poll(long nowNs) {
        DriveCommand oldest = begun.peekFirst();
        if (oldest == null || !oldest.isDataMoved()) {
            return null;
        }
        begun.removeFirst();
        oldest.completed(nowNs);
        return oldest;
    }

    @Override
    public long nextDeadlineNs() {
        return DeviceClock.NEVER;
    }

    @Override
    public DriveSettings settings() {
        return new DriveSettings(false, false);
    }

    @Override
    public void apply(DriveSettings settings) {
        // It has no cache to switch.
    }
}
