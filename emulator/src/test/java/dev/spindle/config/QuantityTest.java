package dev.spindle.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuantityTest {
    private static final Size SIZE = new Size(0, 8191L << 50);
    private static final Duration TIME = new Duration(0, 600 * Duration.SECOND);
    private static final Rate RATE = new Rate(1, 1_000_000_000_000L);

    @ParameterizedTest
    @CsvSource({
        "512, 512, 512 B",
        "64k, 65536, 64 KiB",
        "64K, 65536, 64 KiB",
        "1.5 GiB, 1610612736, 1.5 GiB",
        "1g, 1073741824, 1 GiB",
        "1 kB, 1000, 1000 B",
        "40 GB, 40000000000, 39062500 KiB",
        "8191 PiB, 9222246136947933184, 8191 PiB",
        "0, 0, 0 B"
    })
    void readsAndRendersSizes(String text, long bytes, String rendered) throws BadValueException {
        assertThat(SIZE.parse(text)).isEqualTo(bytes);
        assertThat(SIZE.render(bytes)).isEqualTo(rendered);
        assertThat(SIZE.parse(rendered)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "2.5ms, 2500000, 2.5 ms",
        "10s, 10000000000, 10 s",
        "14 us, 14000, 14 us",
        "7ns, 7, 7 ns",
        "1 min, 60000000000, 60 s",
        "1234567ns, 1234567, 1234.567 us"
    })
    void readsAndRendersTimes(String text, long ns, String rendered) throws BadValueException {
        assertThat(TIME.parse(text)).isEqualTo(ns);
        assertThat(TIME.render(ns)).isEqualTo(rendered);
        assertThat(TIME.parse(rendered)).isEqualTo(ns);
    }

    @ParameterizedTest
    @CsvSource({
        "66 MB/s, 66000000, 66 MB/s",
        "150 KB/s, 150000, 150 KB/s",
        "1 KiB/s, 1024, 1.024 KB/s",
        "2 MiB/s, 2097152, 2097.152 KB/s",
        "1 GB/s, 1000000000, 1 GB/s"
    })
    void readsAndRendersRates(String text, long rate, String rendered) throws BadValueException {
        assertThat(RATE.parse(text)).isEqualTo(rate);
        assertThat(RATE.render(rate)).isEqualTo(rendered);
        assertThat(RATE.parse(rendered)).isEqualTo(rate);
    }

    @Test
    void refusesATimeWithoutAUnit() {
        assertThatThrownBy(() -> TIME.parse("10"))
                .hasMessage("\"10\" has no unit, allowed 0 ns to 600 s");
    }

    @Test
    void knowsAUnitInTheWrongCase() {
        assertThatThrownBy(() -> TIME.parse("10 MS"))
                .hasMessage(
                        "\"10 MS\" has an unknown unit, did you mean ms?, allowed 0 ns to 600 s");
    }

    @Test
    void refusesAnUnknownUnit() {
        assertThatThrownBy(() -> TIME.parse("10 parsecs"))
                .hasMessage(
                        "\"10 parsecs\" has an unknown unit, known here: s ms us ns min, allowed 0 ns to 600 s");
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThatThrownBy(() -> SIZE.parse("big"))
                .hasMessage("\"big\" is not a size, allowed 0 B to 8191 PiB");
    }

    @Test
    void refusesAFractionOfAByte() {
        assertThatThrownBy(() -> SIZE.parse("1.5 B"))
                .hasMessage("1.5 B is not a whole number of B");
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThatThrownBy(() -> SIZE.parse("8192 PiB"))
                .hasMessage("8192 PiB is out of range, allowed 0 B to 8191 PiB");
        assertThatThrownBy(() -> SIZE.parse("-1 B"))
                .hasMessage("-1 B is out of range, allowed 0 B to 8191 PiB");
    }
}
