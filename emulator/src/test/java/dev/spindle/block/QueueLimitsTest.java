package dev.spindle.block;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueLimitsTest {
    @ParameterizedTest
    @CsvSource({
        "256,512,512,128,logical block=256",
        "513,1024,1024,128,logical block=513",
        "2048,512,2048,128,physical block=512",
        "512,4096,6144,128,optimal I/O size=6144",
        "512,512,512,3,max_hw_sectors_kb=3"
    })
    void refuseWhatMakesNoSense(int logical, int physical, int optimal, int maxKb, String reason) {
        assertThatThrownBy(() -> new QueueLimits(logical, physical, optimal, maxKb))
                .hasMessageContaining(reason);
    }
}
