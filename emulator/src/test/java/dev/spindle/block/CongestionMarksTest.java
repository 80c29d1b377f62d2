package dev.spindle.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CongestionMarksTest {
    /** The kernel's own results for these pool sizes (blk_queue_congestion_threshold). */
    @ParameterizedTest
    @CsvSource({"4,4,3", "128,113,103", "512,449,415", "1024,897,831", "2048,1793,1663"})
    void followTheKernelsFormulas(int nrRequests, int on, int off) {
        assertThat(CongestionMarks.ofRequests(nrRequests)).isEqualTo(new CongestionMarks(on, off));
    }

    @Test
    void refuseAnOffThresholdAboveTheOnThreshold() {
        assertThatThrownBy(() -> new CongestionMarks(10, 11)).hasMessageContaining("on=10 off=11");
    }
}
