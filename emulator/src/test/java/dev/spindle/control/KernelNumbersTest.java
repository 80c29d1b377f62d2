package dev.spindle.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelNumbersTest {
    private static Errno errnoOf(ThrowingCallable call) {
        try {
            call.call();
        } catch (AttributeException e) {
            return e.errno();
        } catch (Throwable other) {
            throw new AssertionError(other);
        }
        throw new AssertionError("no error");
    }

    @Test
    void unsignedNumbersAreDecimalWithOneNewlineAtMost() {
        assertThat(KernelNumbers.unsigned("128")).isEqualTo(128);
        assertThat(KernelNumbers.unsigned("0\n")).isZero();
        assertThat(KernelNumbers.unsigned("+5\n")).isEqualTo(5);
        assertThat(KernelNumbers.unsigned("010")).isEqualTo(10);
        assertThat(KernelNumbers.unsigned("12\0junk")).isEqualTo(12);
        assertThat(KernelNumbers.unsigned("4294967295")).isEqualTo(4294967295L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "x",
                "-1",
                " 5",
                "5 ",
                "5\n\n",
                "0x10",
                "4294967296",
                "++5",
                "1 2"
            })
    void whatIsNoUnsignedNumberIsInvalid(String text) {
        assertThat(errnoOf(() -> KernelNumbers.unsigned(text))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void signedNumbersAreOfAnyBase() {
        assertThat(KernelNumbers.signed("-12\n")).isEqualTo(-12);
        assertThat(KernelNumbers.signed("0x1F")).isEqualTo(31);
        assertThat(KernelNumbers.signed("-0x80000000")).isEqualTo(Integer.MIN_VALUE);
        assertThat(KernelNumbers.signed("010")).isEqualTo(8);
        assertThat(KernelNumbers.signed("0")).isZero();
        assertThat(errnoOf(() -> KernelNumbers.signed("2147483648"))).isEqualTo(Errno.ERANGE);
        assertThat(errnoOf(() -> KernelNumbers.signed("99999999999999999999")))
                .isEqualTo(Errno.ERANGE);
        assertThat(errnoOf(() -> KernelNumbers.signed("08"))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> KernelNumbers.signed(" 1"))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> KernelNumbers.signed(""))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void scannedNumbersMayHaveAnythingBehindThem() {
        assertThat(KernelNumbers.scanned(" 12x")).contains(12);
        assertThat(KernelNumbers.scanned("-1\n")).contains(-1);
        assertThat(KernelNumbers.scanned("4294967297")).contains(1);
        assertThat(KernelNumbers.scanned("x1")).isEmpty();
        assertThat(KernelNumbers.scanned("")).isEmpty();
        assertThat(KernelNumbers.scannedPair("43:7\n")).contains(new KernelNumbers.Pair(43, 7));
        assertThat(KernelNumbers.scannedPair("43 :7")).isEmpty();
        assertThat(KernelNumbers.scannedPair("43:")).isEmpty();
    }

    @Test
    void theErrorSaysWhatWouldDo() {
        assertThatThrownBy(() -> KernelNumbers.unsigned("x"))
                .hasMessage("no number from 0 to 4294967295");
    }
}
