package dev.spindle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.block.BlockRequest;
import dev.spindle.metrics.Counter;
import dev.spindle.metrics.Counters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CongestionWatchTest {
    /** Nothing but its flags. */
    private static final class Flags implements RequestMachine {
        private final Counters counters = new Counters();
        private boolean isRead;
        private boolean isWrite;
        private Admission admission = Admission.POOL;

        @Override
        public void submit(BlockRequest request, Submitter submitter, long nowNs) {}

        @Override
        public void advance(long nowNs) {}

        @Override
        public long nextDeadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public void listen(@Nullable QueueListener listener) {}

        @Override
        public boolean isCongested(boolean isOfWrites) {
            return isOfWrites ? isWrite : isRead;
        }

        @Override
        public Admission admission() {
            return admission;
        }

        @Override
        public Counters counters() {
            return counters;
        }

        @Override
        public QueueLatencies latencies() {
            throw new UnsupportedOperationException();
        }
    }

    /** Whom a machine without a pool lets in, programs under the shim must know. */
    @Test
    void tellsWhenWritersAreToSleep() {
        Flags machine = new Flags();
        CongestionWatch watch = new CongestionWatch();
        List<Integer> told = new ArrayList<>();
        watch.tell(told::add);
        machine.isWrite = true;
        machine.admission = Admission.ALL;
        watch.look(machine, 100);
        machine.admission = Admission.READS;
        watch.look(machine, 200);
        machine.admission = Admission.ALL;
        watch.look(machine, 300);
        assertThat(told).containsExactly(0, 2, 6, 2);
    }

    @Test
    void tellsOfChangesAndCountsHowLongEachFlagWasSet() {
        Flags machine = new Flags();
        CongestionWatch watch = new CongestionWatch();
        List<Integer> told = new ArrayList<>();
        watch.tell(told::add);
        watch.look(machine, 100);
        machine.isRead = true;
        watch.look(machine, 200);
        machine.isWrite = true;
        watch.look(machine, 250);
        watch.look(machine, 300);
        machine.isRead = false;
        watch.look(machine, 1000);
        machine.isWrite = false;
        watch.look(machine, 1100);
        assertThat(told).containsExactly(0, 1, 3, 2, 0);
        assertThat(machine.counters.get(Counter.READ_CONGESTED_NS)).isEqualTo(800);
        assertThat(machine.counters.get(Counter.WRITE_CONGESTED_NS)).isEqualTo(850);
    }
}
