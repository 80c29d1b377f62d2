package dev.spindle.cli;

import dev.spindle.control.ControlAnswer;
import dev.spindle.control.ControlClient;
import dev.spindle.control.ControlRequest;
import dev.spindle.control.RefusedException;
import dev.spindle.daemon.LiveDaemon;
import dev.spindle.daemon.RuntimeRoot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The daemons of this user that run, and what they say about themselves. */
final class Daemons {
    private final RuntimeRoot root;

    private Daemons(RuntimeRoot root) {
        this.root = root;
    }

    static Daemons of(Map<String, String> environment) throws IOException {
        return new Daemons(RuntimeRoot.of(environment));
    }

    RuntimeRoot root() {
        return root;
    }

    /** A daemon and its answer to list. */
    record Found(LiveDaemon daemon, ControlAnswer answer) {
        List<String> deviceNames() {
            return answer.objects("devices").stream().map(device -> device.text("name")).toList();
        }

        ControlClient client() {
            return new ControlClient(daemon.controlSocket());
        }

        private String text() {
            return "pid "
                    + daemon.pid()
                    + (daemon.isPrivate() ? " (private)" : "")
                    + " serves "
                    + String.join(", ", deviceNames());
        }
    }

    /** One that ends while it is asked is as good as ended. */
    List<Found> all() throws IOException {
        List<Found> found = new ArrayList<>();
        for (LiveDaemon daemon : root.live()) {
            try {
                ControlClient client = new ControlClient(daemon.controlSocket());
                found.add(new Found(daemon, client.ask(new ControlRequest.Devices())));
            } catch (IOException | RefusedException e) {
                if (root.live().contains(daemon)) {
                    throw new Failure("daemon " + daemon.pid() + ": " + e.getMessage());
                }
            }
        }
        return found;
    }

    /** The only one that serves the device, or the one of that pid. */
    Found serving(String device, Optional<Long> pid) throws IOException {
        List<Found> all = all();
        if (all.isEmpty()) {
            throw new Failure("no daemon is running; start one with 'spindle serve CONF'");
        }
        List<Found> asked = all.stream().filter(found -> isAsked(found, pid)).toList();
        if (asked.isEmpty()) {
            throw new Failure("no daemon " + pid.orElseThrow() + " is running: " + texts(all));
        }
        List<Found> serving =
                asked.stream().filter(found -> found.deviceNames().contains(device)).toList();
        if (serving.isEmpty()) {
            throw new Failure("no device " + device + " is served: " + texts(asked));
        }
        return only(serving, "device " + device + " is served by several daemons");
    }

    /** With {@code --daemon}, only that one. */
    List<Found> all(Optional<Long> pid) throws IOException {
        List<Found> asked = all().stream().filter(found -> isAsked(found, pid)).toList();
        if (asked.isEmpty() && pid.isPresent()) {
            throw new Failure("no daemon " + pid.get() + " is running");
        }
        return asked;
    }

    static Found only(List<Found> found, String otherwise) {
        if (found.size() > 1) {
            throw new Failure(otherwise + ": " + texts(found) + "; say which with --daemon PID");
        }
        return found.getFirst();
    }

    private static boolean isAsked(Found found, Optional<Long> pid) {
        return pid.isEmpty() || pid.get() == found.daemon().pid();
    }

    static String texts(List<Found> found) {
        return String.join("; ", found.stream().map(Found::text).toList());
    }
}
