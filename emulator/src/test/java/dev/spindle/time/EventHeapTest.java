package dev.spindle.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventHeapTest {
    private final List<String> happened = new ArrayList<>();
    private final EventHeap events =
            new EventHeap((timeNs, _, what) -> happened.add(timeNs + " " + what));

    @Test
    void eventsHappenInTheOrderOfTimeThenOfAsking() {
        events.at(20, "c", () -> {});
        events.at(10, "a", () -> events.after(0, "b", () -> {}));
        events.at(20, "d", () -> {});
        events.run();
        assertThat(happened).containsExactly("10 a", "10 b", "20 c", "20 d");
        assertThat(events.nowNs()).isEqualTo(20);
    }

    @Test
    void whatIsCancelledDoesNotHappen() {
        EventHeap.Event cancelled = events.at(5, "no", () -> happened.add("no"));
        events.cancel(cancelled);
        events.run();
        assertThat(happened).isEmpty();
        assertThat(events.nowNs()).isZero();
    }

    @Test
    void nothingHappensInThePast() {
        events.at(50, "late", () -> events.at(10, "now", () -> {}));
        events.run();
        assertThat(happened).containsExactly("50 late", "50 now");
    }

    @Test
    void runsUntilATime() {
        events.at(10, "a", () -> {});
        events.at(30, "b", () -> {});
        events.runUntil(30);
        assertThat(happened).containsExactly("10 a");
    }
}
