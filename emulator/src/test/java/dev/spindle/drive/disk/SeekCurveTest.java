package dev.spindle.drive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SeekCurveTest {
    @Test
    void meetsTheThreeFiguresOfADataSheet() {
        var curve = SeekCurve.ofDataSheet(2_500_000, 12_000_000, 23_000_000, 30_000);
        assertThat(curve.timeNs(0)).isZero();
        assertThat(curve.timeNs(1)).isCloseTo(2.5e6, within(1.0));
        assertThat(curve.timeNs(10_000)).isCloseTo(12e6, within(1e4));
        assertThat(curve.timeNs(29_999)).isCloseTo(23e6, within(1.0));
    }

    @Test
    void neverFallsWithDistance() {
        var curve = SeekCurve.ofDataSheet(1_000_000, 8_000_000, 15_000_000, 2000);
        double before = 0;
        for (int distance = 1; distance < 2000; distance++) {
            assertThat(curve.timeNs(distance)).isGreaterThanOrEqualTo(before);
            before = curve.timeNs(distance);
        }
    }

    @Test
    void readsATableInStraightLinesAndGoesOnBeyondIt() {
        var curve = SeekCurve.ofTable(new int[] {1, 11, 21}, new long[] {1000, 2000, 2500});
        assertThat(curve.timeNs(1)).isEqualTo(1000);
        assertThat(curve.timeNs(6)).isEqualTo(1500);
        assertThat(curve.timeNs(21)).isEqualTo(2500);
        assertThat(curve.timeNs(41)).isEqualTo(3500);
    }

    @Test
    void aTableOfOnePointHoldsForAnyDistance() {
        var curve = SeekCurve.ofTable(new int[] {5}, new long[] {1000});
        assertThat(curve.timeNs(1)).isEqualTo(1000);
        assertThat(curve.timeNs(500)).isEqualTo(1000);
    }

    @Test
    void refusesATableThatDoesNotAscend() {
        assertThatThrownBy(() -> SeekCurve.ofTable(new int[] {1, 1}, new long[] {1, 2}))
                .hasMessageContaining("distance 1");
        assertThatThrownBy(() -> SeekCurve.ofTable(new int[0], new long[0]))
                .hasMessageContaining("0 distances");
    }

    @Test
    void refusesFiguresThatDoNotAscend() {
        assertThatThrownBy(() -> SeekCurve.ofDataSheet(5, 4, 6, 100))
                .hasMessageContaining("do not ascend");
    }

    @Test
    void followsTheSixParameterEquation() {
        var equation = new SeekCurve.Equation(100, 3e6, 4e5, 6e6, 1e4);
        var curve = SeekCurve.ofEquation(equation, new long[] {2_000_000}, 1000);
        assertThat(curve.timeNs(1)).isEqualTo(2_000_000);
        assertThat(curve.timeNs(49)).isCloseTo(3e6 + 7 * 4e5, within(1.0));
        assertThat(curve.timeNs(100)).isCloseTo(7e6, within(1.0));
        assertThat(curve.timeNs(999)).isCloseTo(6e6 + 999e4, within(1.0));
    }

    @Test
    void aMeasuredTableMayFall() {
        var curve = SeekCurve.ofTable(new int[] {1, 3, 5}, new long[] {3000, 1000, 2000});
        assertThat(curve.timeNs(2)).isEqualTo(2000);
        assertThat(curve.timeNs(3)).isEqualTo(1000);
    }
}
