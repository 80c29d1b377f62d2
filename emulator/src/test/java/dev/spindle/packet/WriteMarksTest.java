package dev.spindle.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteMarksTest {
    @ParameterizedTest(name = "on {0} off {1} become {2} and {3}")
    @CsvSource({
        "10000, 9000, 10000, 9000",
        "20, 10, 500, 100",
        "500, 0, 500, 400",
        "500, -1, 500, 400",
        "1000, 950, 1000, 900",
        "1000, 50, 1000, 100",
        "5000000, 10, 1000000, 100",
        "0, 9000, -1, -1",
        "-5, 9000, -1, -1",
    })
    void areCorrectedAsTheDriverDid(int on, int off, int newOn, int newOff) {
        assertThat(WriteMarks.clamped(on, off)).isEqualTo(new WriteMarks(newOn, newOff));
    }

    @Test
    void needAGap() {
        assertThatThrownBy(() -> new WriteMarks(5, 5)).hasMessageContaining("on=5 off=5");
        assertThatThrownBy(() -> new WriteMarks(5, -1)).hasMessageContaining("off=-1");
    }
}
