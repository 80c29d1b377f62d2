package dev.spindle.daemon;

import dev.spindle.nbd.HandedSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sockets that systemd, or who does as it does, has opened for this process (sd_listen_fds(3)):
 *
 * <pre>
 *  LISTEN_PID       the process they are for
 *  LISTEN_FDS       how many: descriptors 3, 4, ...
 *  LISTEN_FDNAMES   a name for each, with colons between; may be missing
 * </pre>
 */
public final class SocketActivation {
    private static final int FIRST_FD = 3;
    private static final int MAX_SOCKETS = 64;

    private SocketActivation() {}

    /** Those meant for the process {@code pid}; none where it was not started like that. */
    public static List<HandedSocket> sockets(Map<String, String> environment, long pid)
            throws IOException {
        String fds = environment.getOrDefault("LISTEN_FDS", "");
        if (fds.isEmpty() || !environment.getOrDefault("LISTEN_PID", "").equals("" + pid)) {
            return List.of();
        }
        if (!fds.matches("[0-9]{1,3}") || Integer.parseInt(fds) > MAX_SOCKETS) {
            throw new IOException("LISTEN_FDS=" + fds + " is not 0 to " + MAX_SOCKETS);
        }
        String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        List<HandedSocket> sockets = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(fds); i++) {
            String name = i < names.length && !names[i].isEmpty() ? " (" + names[i] + ")" : "";
            String called = "activated socket " + (FIRST_FD + i) + name;
            sockets.add(HandedSocket.listening(FIRST_FD + i, called));
        }
        return sockets;
    }
}
