package dev.spindle.plot;

import java.util.Locale;

/** Numbers for people. */
public final class Figures {
    private Figures() {}

    /** With as many digits as people want to see. */
    public static String text(double value) {
        double size = Math.abs(value);
        String pattern = size >= 1000 ? "%.0f" : size >= 10 ? "%.1f" : "%.3f";
        return String.format(Locale.ROOT, pattern, value);
    }
}
