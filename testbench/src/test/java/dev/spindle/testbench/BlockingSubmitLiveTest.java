package dev.spindle.testbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The mail of November 2006, live: testaio under the shim, the queue tuned while the daemon runs.
 * The times are those of the emulated disk, which no speed of this machine changes; the bounds are
 * the issue's own.
 */
class BlockingSubmitLiveTest {
    private static final double TOTAL_S = 5.3;
    @TempDir Path folder;

    private record Report(double enqueueS, double totalS, double blockedShare) {
        static Report parse(String json) {
            return new Report(
                    number(json, "enqueue_s"),
                    number(json, "total_s"),
                    number(json, "blocked_share"));
        }

        private static double number(String json, String name) {
            Matcher matcher = Pattern.compile("\"" + name + "\":\\s*([0-9.]+)").matcher(json);
            assertThat(matcher.find()).as("%s in %s", name, json).isTrue();
            return Double.parseDouble(matcher.group(1));
        }
    }

    @Test
    void submissionBlocksOnASmallQueueAndNotOnALargeOne() {
        try (Daemon daemon = Daemon.serve(Tools.home().resolve("conf/spindle.conf"), folder)) {
            Report at128 = measure(daemon, 128);
            Report at512 = measure(daemon, 512);
            Report at1024 = measure(daemon, 1024);
            Report at2048 = measure(daemon, 2048);
            for (Report report : new Report[] {at128, at512, at1024, at2048}) {
                System.out.println(report);
                assertThat(report.totalS()).isCloseTo(TOTAL_S, within(0.05 * TOTAL_S));
            }
            assertThat(at128.enqueueS() / at128.totalS()).isBetween(0.78, 0.95);
            assertThat(at128.blockedShare()).isBetween(0.78, 0.95);
            assertThat(at512.enqueueS()).isBetween(at1024.enqueueS(), at128.enqueueS());
            assertThat(at1024.enqueueS() / at1024.totalS()).isLessThanOrEqualTo(0.2);
            assertThat(at2048.enqueueS()).isCloseTo(at1024.enqueueS(), within(0.1));
        }
    }

    /** A session that stops reading its socket would block the writer in place of the pool. */
    @Test
    void writersTooAreBlockedByThePoolAlone() {
        try (Daemon daemon = Daemon.serve(Tools.home().resolve("conf/spindle.conf"), folder)) {
            Report at128 = measure(daemon, 128, "--write");
            Report at1024 = measure(daemon, 1024, "--write");
            assertThat(at128.blockedShare()).isBetween(0.7, 0.95);
            assertThat(at1024.blockedShare()).isLessThanOrEqualTo(0.2);
        }
    }

    /**
     * Two processes of 800 requests each share one pool of 1024, as in the kernel: alone neither
     * would wait (see above), together one of them must.
     */
    @Test
    void processesShareOnePool() {
        try (Daemon daemon = Daemon.serve(Tools.home().resolve("conf/spindle.conf"), folder)) {
            daemon.spindle("tune", "hda", "queue/nr_requests=1024").succeed();
            double together = longestEnqueueOfTwo(daemon, "shm");
            double apart = longestEnqueueOfTwo(daemon, "nbd");
            System.out.println("two processes: " + together + " s shared, " + apart + " s apart");
            assertThat(together).isGreaterThanOrEqualTo(1.5);
            assertThat(apart).isLessThanOrEqualTo(1.0);
        }
    }

    private static double longestEnqueueOfTwo(Daemon daemon, String transport) {
        String both = "\"$0\" --json /dev/hda & \"$0\" --json /dev/hda & wait";
        String output =
                daemon.spindle("run", "--transport", transport, "--device", "hda", "--")
                        .and("sh", "-c", both, Tools.testaio())
                        .within(Duration.ofSeconds(90))
                        .succeed()
                        .output();
        return Pattern.compile("\"enqueue_s\":\\s*([0-9.]+)")
                .matcher(output)
                .results()
                .mapToDouble(result -> Double.parseDouble(result.group(1)))
                .max()
                .orElseThrow();
    }

    private static Report measure(Daemon daemon, int nrRequests, String... options) {
        daemon.spindle("tune", "hda", "queue/nr_requests=" + nrRequests).succeed();
        String json =
                daemon.spindle(
                                "run",
                                "--device",
                                "hda",
                                "--",
                                Tools.testaio(),
                                "--json",
                                "/dev/hda")
                        .and(options)
                        .within(Duration.ofSeconds(60))
                        .succeed()
                        .output();
        return Report.parse(json);
    }
}
