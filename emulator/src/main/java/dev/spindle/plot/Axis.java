package dev.spindle.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * From zero to a little over the largest value, with some six marks at round numbers: 1, 2 or 5
 * times a power of ten apart.
 *
 * @param most where it ends
 * @param step from mark to mark
 */
record Axis(double most, double step) {
    private static final int MARKS = 6;

    Axis {
        if (!(most > 0 && step > 0)) {
            throw new IllegalArgumentException("axis to " + most + " in steps of " + step);
        }
    }

    /** Ends at the largest value, if that is above zero. */
    static Axis exactlyTo(double largest) {
        double most = largest > 0 && Double.isFinite(largest) ? largest : 1;
        return new Axis(most, roundStep(most / MARKS));
    }

    /** Ends at the first mark that leaves some room above the largest value. */
    static Axis roomFor(double largest) {
        Axis exact = exactlyTo(1.02 * largest);
        return new Axis(Math.ceil(exact.most / exact.step) * exact.step, exact.step);
    }

    private static double roundStep(double wanted) {
        double power = Math.pow(10, Math.floor(Math.log10(wanted)));
        for (int times : new int[] {1, 2, 5}) {
            if (times * power >= wanted * 0.999) {
                return times * power;
            }
        }
        return 10 * power;
    }

    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        for (int i = 0; i * step <= most * 1.0001; i++) {
            marks.add(i * step);
        }
        return marks;
    }

    /** With as many digits as tell the marks apart. */
    String text(double mark) {
        int digits = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        return String.format(Locale.ROOT, "%." + digits + "f", mark);
    }

    /** 0 at its beginning, 1 at its end. */
    double share(double value) {
        return value / most;
    }
}
