package dev.spindle.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much later than asked the kernel may wake a thread that waits with a timeout: 50 us unless it
 * is told otherwise (prctl(2), PR_SET_TIMERSLACK), and a drive's deadlines are kept to less.
 */
final class TimerSlack {
    private static final Logger LOG = LoggerFactory.getLogger(TimerSlack.class);
    private static final String LEAST_NS = "1";

    private TimerSlack() {}

    /** The file is there under a thread's own id, though not below its process's task folder. */
    static void leastForThisThread() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            Path slack = Path.of("/proc", self.getFileName().toString(), "timerslack_ns");
            Files.writeString(slack, LEAST_NS);
        } catch (IOException e) {
            LOG.info("timers may be 50 us late: {}", e.getMessage());
        }
    }
}
