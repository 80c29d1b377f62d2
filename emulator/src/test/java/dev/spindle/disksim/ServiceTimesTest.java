package dev.spindle.disksim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ServiceTimesTest {
    private final ServiceTimes times = new ServiceTimes();

    @Test
    void anEvenShiftIsTheRms() {
        for (int i = 1; i <= 3000; i++) {
            times.add(i * 1_000L, i * 1_000L + 500_000);
        }
        assertThat(times.rmsMs()).isCloseTo(0.5, within(1e-9));
        assertThat(times.meanDriveMs()).isCloseTo(1.5005, within(1e-9));
        assertThat(times.demerit()).isCloseTo(0.5 / 1.5005, within(1e-9));
    }

    @Test
    void theOrderOfRequestsDoesNotMatter() {
        for (int i = 0; i < 1000; i++) {
            times.add(i * 1_000L, (999 - i) * 1_000L);
        }
        assertThat(times.rmsMs()).isZero();
    }

    @Test
    void nothingIsNoDistance() {
        assertThat(times.rmsMs()).isZero();
        assertThat(times.demerit()).isZero();
        assertThat(times.meanModelMs()).isZero();
    }
}
