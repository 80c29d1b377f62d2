package dev.spindle.daemon;

import dev.spindle.nbd.HandedSocket;
import dev.spindle.time.DeviceClock;
import java.util.List;
import java.util.Optional;

/**
 * What a daemon is told beside its settings.
 *
 * @param isPrivate it serves the one program of a {@code spindle run}
 * @param activated sockets to listen on in place of those of the settings
 * @param connection the one client to serve, in place of all sockets
 */
public record DaemonOptions(
        RuntimeRoot root,
        boolean isPrivate,
        DeviceClock clock,
        List<HandedSocket> activated,
        Optional<HandedSocket> connection) {
    public DaemonOptions {
        activated = List.copyOf(activated);
    }

    /** One that opens its own sockets. */
    public DaemonOptions(RuntimeRoot root, boolean isPrivate, DeviceClock clock) {
        this(root, isPrivate, clock, List.of(), Optional.empty());
    }
}
