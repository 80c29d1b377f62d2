package dev.spindle.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScaledClockTest {
    private static final BigInteger UNIT = BigInteger.valueOf(1000);

    private final VirtualClock wall = new VirtualClock();

    @ParameterizedTest
    @ValueSource(ints = {10, 999, 1000, 1001, 2500, 10_000, 100_000})
    void convertsSpansExactly(int thousandths) {
        TimeScale scale = new TimeScale(thousandths);
        Random random = new Random(thousandths);
        for (int i = 0; i < 1000; i++) {
            long wallNs = random.nextLong(1L << (20 + i % 36));
            BigInteger product =
                    BigInteger.valueOf(wallNs).multiply(BigInteger.valueOf(thousandths));
            assertThat(scale.toDeviceNs(wallNs)).isEqualTo(product.divide(UNIT).longValueExact());
            long deviceNs = scale.toDeviceNs(wallNs);
            long back = scale.toWallNs(deviceNs);
            assertThat(scale.toDeviceNs(back)).isGreaterThanOrEqualTo(deviceNs);
            assertThat(back == 0 || scale.toDeviceNs(back - 1) < deviceNs)
                    .as(
                            "%d ns of device time are reached after %d ns, and not before",
                            deviceNs, back)
                    .isTrue();
        }
    }

    @Test
    void startsAtZeroAndPassesTenTimesAsFast() {
        wall.advanceTo(77);
        ScaledClock clock = new ScaledClock(wall, TimeScale.of(10));
        assertThat(clock.nowNs()).isZero();
        wall.advanceTo(77 + 18_700_000_000L);
        assertThat(clock.nowNs()).isEqualTo(187_000_000_000L);
    }

    /** The model adds up what passed at each rate. */
    @Test
    void neverJumpsWhateverIsDoneToItsScale() {
        Random random = new Random(4);
        ScaledClock clock = new ScaledClock(wall, TimeScale.REAL);
        long expectedNs = 0;
        for (int i = 0; i < 2000; i++) {
            TimeScale scale = new TimeScale(10 + random.nextInt(99_991));
            clock.scale(scale);
            assertThat(clock.nowNs()).as("at change %d", i).isEqualTo(expectedNs);
            long spanNs = random.nextLong(1_000_000);
            wall.advanceTo(wall.nowNs() + spanNs);
            long before = expectedNs;
            expectedNs += scale.toDeviceNs(spanNs);
            assertThat(clock.nowNs()).isEqualTo(expectedNs).isGreaterThanOrEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 0, 0.009, 100.001, 1e6})
    void refusesWhatIsOutOfRange(double factor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeScale.of(factor))
                .withMessageContaining("0.01 to 100");
    }
}
