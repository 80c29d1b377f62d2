package dev.spindle.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.queue.QueueSettings;
import dev.spindle.queue.elevator.ElevatorSettings;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client with one request at a time beside one with a thousand, in front of a disk that takes ten
 * milliseconds for each: in virtual time, by what the disk does in between.
 */
class FairnessTest {
    private static final int NR_REQUESTS = 128;
    private static final int DEPTH = 1000;
    private static final int POLITE_REQUESTS = 30;
    private static final long SEED = 4711;
    private static final long MS = 1_000_000;

    static Stream<QueueSettings> queues() {
        QueueSettings noop = QueueSettings.of(NR_REQUESTS, 128);
        return Stream.of(
                noop, noop.with(new ElevatorSettings.Deadline(500 * MS, 5000 * MS, 2, 16)));
    }

    /** The most of the flood that was served while the polite one waited for one answer. */
    private static long mostAhead(QueueSettings settings, long seed) {
        try (MechanicalServer server = new MechanicalServer(settings)) {
            MechanicalServer.Client flood = server.client(seed, DEPTH);
            MechanicalServer.Client polite = server.client(seed + 1, 1);
            long most = 0;
            for (int i = 0; i < POLITE_REQUESTS; i++) {
                long answered = polite.answered();
                long before = flood.answered();
                while (polite.answered() == answered) {
                    server.step();
                }
                most = Math.max(most, flood.answered() - before);
            }
            return most;
        }
    }

    /**
     * The pool in front of it, and one more pool that was given out while it waited for a place.
     */
    @ParameterizedTest
    @MethodSource("queues")
    void aFloodCostsAPoliteClientTheQueueAndNotTheFlood(QueueSettings settings) {
        long most = mostAhead(settings, SEED);
        assertThat(most).as("seed " + SEED).isBetween(1L, 2L * NR_REQUESTS);
    }

    @Test
    void twoAlikeGetAlike() {
        try (MechanicalServer server = new MechanicalServer(QueueSettings.of(NR_REQUESTS, 128))) {
            MechanicalServer.Client one = server.client(SEED, 64);
            MechanicalServer.Client other = server.client(SEED + 1, 64);
            while (server.nowNs() < 20_000_000_000L) {
                server.step();
            }
            assertThat((double) one.answered() / other.answered())
                    .as("seed " + SEED)
                    .isBetween(0.9, 1.1);
        }
    }
}
