package dev.spindle.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A device's number, as records carry it. */
public record TraceDevice(int major, int minor) {
    /** Of network block devices, as which the world sees those that Spindle serves. */
    public static final int NBD_MAJOR = 43;

    /** Of CD and DVD drives: what is below a packet writer. */
    public static final int OPTICAL_MAJOR = 11;

    private static final int MINOR_BITS = 20;
    private static final int MAX_MAJOR = (1 << (32 - MINOR_BITS)) - 1;
    private static final int MAX_MINOR = (1 << MINOR_BITS) - 1;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})[,:](\\d{1,9})");

    public TraceDevice {
        if (major < 0 || major > MAX_MAJOR || minor < 0 || minor > MAX_MINOR) {
            throw new IllegalArgumentException(
                    "device "
                            + major
                            + ","
                            + minor
                            + ": allowed 0,0 to "
                            + MAX_MAJOR
                            + ","
                            + MAX_MINOR);
        }
    }

    /** Of a disk as NBD clients see it. */
    public static TraceDevice nbd(int index) {
        return new TraceDevice(NBD_MAJOR, index);
    }

    /** Written {@code 8,0} or {@code 8:0}. */
    public static TraceDevice parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no device, write its numbers, such as 8,0");
        }
        return new TraceDevice(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    static TraceDevice ofNumber(int number) {
        return new TraceDevice(number >>> MINOR_BITS, number & MAX_MINOR);
    }

    int number() {
        return (major << MINOR_BITS) | minor;
    }

    @Override
    public String toString() {
        return major + "," + minor;
    }
}
