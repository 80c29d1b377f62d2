package dev.spindle.testbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.time.EventHeap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same seed and configuration give the same trace, byte by byte. */
class TraceTest {
    private static String trace(Map<String, String> overrides) {
        StringBuilder trace = new StringBuilder();
        EventHeap events =
                new EventHeap((timeNs, sequence, what) ->
                        trace.append(timeNs)
                                .append(' ')
                                .append(sequence)
                                .append(' ')
                                .append(what)
                                .append('\n'));
        Thread000.run(
                GatesTest.SETTING,
                64,
                Thread000.plan(128 << 10, Thread000.cpuPerPageNs(GatesTest.SETTING), true),
                overrides,
                events);
        return trace.toString();
    }

    @Test
    void twoRunsAreIdentical() {
        Map<String, String> random =
                Map.of(
                        "devices.thread000.queue.wake_order", "random",
                        "devices.thread000.queue.wake_seed", "42");
        String first = trace(random);
        assertThat(first.lines().count()).isGreaterThan(1000);
        assertThat(trace(random)).isEqualTo(first);
    }

    @Test
    void anotherConfigurationIsAnotherTrace() {
        assertThat(trace(Map.of("drives.laptop-ide-2006.rpm", "5400")))
                .isNotEqualTo(trace(Map.of()))
                .isNotEmpty();
    }
}
