package dev.spindle.drive;

import org.jspecify.annotations.Nullable;

/**
 * A drive as its queue sees it: a machine that takes commands and says when each has ended. It has
 * no thread and no clock; it moves only when told the time, which never goes back. Owned by the
 * loop that owns the device.
 */
public interface Drive {
    /** True when it can take another command now. */
    boolean isReady();

    /** Takes a command at {@code nowNs}. Only when {@link #isReady()}. */
    void start(DriveCommand command, long nowNs);

    /**
     * The next command that has ended by {@code nowNs}, with its status, completion time and phases
     * set; null when there is none. To be called until null.
     */
    @Nullable DriveCommand poll(long nowNs);

    /**
     * When the next command will have ended; {@link dev.spindle.time.DeviceClock#NEVER} when
     * nothing is due by time alone.
     */
    long nextDeadlineNs();

    /** Reads its settings, all of which can be changed between commands. */
    DriveSettings settings();

    /** Changes its settings; a drive ignores what it does not have. */
    void apply(DriveSettings settings);
}
