package dev.spindle.control;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers as the kernel reads what is written to a file of /sys: text ends at its first zero byte,
 * and one newline may stand at its end (lib/kstrtox.c, lib/vsprintf.c).
 */
final class KernelNumbers {
    private static final Pattern DECIMAL = Pattern.compile("\\+?([0-9]+)\\n?");
    private static final Pattern ANY_BASE =
            Pattern.compile(
                    "([-+]?)(0[xX](?<hex>[0-9a-fA-F]+)|(?<octal>0[0-7]*)|(?<decimal>[1-9][0-9]*))\\n?");
    private static final Pattern LEADING_INT = Pattern.compile("\\s*(-?[0-9]+).*", Pattern.DOTALL);
    private static final Pattern LEADING_PAIR =
            Pattern.compile("\\s*([0-9]+):\\s*([0-9]+).*", Pattern.DOTALL);
    private static final BigInteger UINT_MAX =
            BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE);

    private KernelNumbers() {}

    /** Two unsigned numbers with a colon between, the kernel's major and minor. */
    record Pair(int major, int minor) {}

    /**
     * As queue_var_store of block/blk-sysfs.c: decimal, at most 32 bits.
     *
     * @throws AttributeException EINVAL
     */
    static long unsigned(String text) {
        Matcher number = DECIMAL.matcher(upToZero(text));
        if (number.matches()) {
            BigInteger value = new BigInteger(number.group(1));
            if (value.compareTo(UINT_MAX) <= 0) {
                return value.longValue();
            }
        }
        throw new AttributeException(Errno.EINVAL, "no number from 0 to " + UINT_MAX);
    }

    /**
     * As kstrtoint with base 0: decimal, octal with a leading 0, hexadecimal with 0x.
     *
     * @throws AttributeException EINVAL where it is no number, ERANGE where it is none of 32 bits
     */
    static int signed(String text) {
        Matcher number = ANY_BASE.matcher(upToZero(text));
        if (!number.matches()) {
            throw new AttributeException(Errno.EINVAL, "no number");
        }
        BigInteger magnitude = magnitude(number);
        BigInteger value = number.group(1).equals("-") ? magnitude.negate() : magnitude;
        if (value.bitLength() >= Integer.SIZE) {
            throw new AttributeException(Errno.ERANGE, "no number of 32 bits");
        }
        return value.intValue();
    }

    private static BigInteger magnitude(Matcher number) {
        if (number.group("hex") != null) {
            return new BigInteger(number.group("hex"), 16);
        }
        return number.group("octal") != null
                ? new BigInteger(number.group("octal"), 8)
                : new BigInteger(number.group("decimal"));
    }

    /** As sscanf with %d: what follows the number does not matter, nor bits beyond the 32nd. */
    static Optional<Integer> scanned(String text) {
        Matcher number = LEADING_INT.matcher(upToZero(text));
        return number.matches()
                ? Optional.of(new BigInteger(number.group(1)).intValue())
                : Optional.empty();
    }

    /** As sscanf with %u:%u. */
    static Optional<Pair> scannedPair(String text) {
        Matcher pair = LEADING_PAIR.matcher(upToZero(text));
        return pair.matches()
                ? Optional.of(
                        new Pair(
                                new BigInteger(pair.group(1)).intValue(),
                                new BigInteger(pair.group(2)).intValue()))
                : Optional.empty();
    }

    private static String upToZero(String text) {
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
