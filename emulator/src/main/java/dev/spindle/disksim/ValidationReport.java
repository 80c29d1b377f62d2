package dev.spindle.disksim;

import java.util.Locale;

/** A validation in words and as JSON. */
public final class ValidationReport {
    private ValidationReport() {}

    /** A line each for all, reads and writes. */
    public static String text(Validation validation) {
        StringBuilder text = new StringBuilder();
        text.append(
                format(
                        "drive %s, %d requests%n",
                        validation.drive().name(), validation.all().count()));
        text.append(
                format(
                        "bus   %.4f ms a sector, %s%n%n",
                        validation.profile().bus().readSectorNs() / 1e6,
                        validation.isBusFitted()
                                ? "fitted to the trace's buffer hits: the drive's files leave it out"
                                : "from the drive's files"));
        text.append(
                format(
                        "%-7s %9s %15s %15s %9s %9s%n",
                        "", "requests", "mean drive, ms", "mean model, ms", "rms, ms", "demerit"));
        row(text, "reads", validation.reads());
        row(text, "writes", validation.writes());
        row(text, "all", validation.all());
        return text.toString();
    }

    private static void row(StringBuilder text, String name, ServiceTimes times) {
        text.append(
                format(
                        "%-7s %9d %15.3f %15.3f %9.3f %7.2f %%%n",
                        name,
                        times.count(),
                        times.meanDriveMs(),
                        times.meanModelMs(),
                        times.rmsMs(),
                        100 * times.demerit()));
    }

    /** One object on one line; the demerit is a fraction. */
    public static String json(Validation validation) {
        return "{\"drive\":"
                + quoted(validation.drive().name())
                + ",\"requests\":"
                + validation.all().count()
                + ",\"all\":"
                + json(validation.all())
                + ",\"reads\":"
                + json(validation.reads())
                + ",\"writes\":"
                + json(validation.writes())
                + "}";
    }

    private static String json(ServiceTimes times) {
        return format(
                "{\"mean_drive_ms\":%.6f,\"mean_model_ms\":%.6f,\"rms_ms\":%.6f,\"demerit\":%.6f}",
                times.meanDriveMs(), times.meanModelMs(), times.rmsMs(), times.demerit());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else {
                quoted.append(c < ' ' || c > '~' ? format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return quoted.append('"').toString();
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
    }
}
