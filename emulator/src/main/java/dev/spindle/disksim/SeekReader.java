package dev.spindle.disksim;

import dev.spindle.drive.disk.SeekCurve;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads the seek times of {@code dm_mech_g1}, in each of the forms it knows. */
final class SeekReader {
    private static final String EQUATION = "HPL seek equation values";
    private static final String FIRST_TEN = "First ten seek times";

    private final ParamBlock mechanics;
    private final int cylinders;

    SeekReader(ParamBlock mechanics, int cylinders) {
        this.mechanics = mechanics;
        this.cylinders = cylinders;
    }

    SeekCurve read() throws DiskSimException {
        String type = mechanics.text("Seek type");
        return switch (type) {
            case "extracted" -> extracted();
            case "hpl" -> equation(equationOnce());
            case "hplplus10" -> equation(firstTen());
            case "constant" -> constant();
            case "linear" -> linear();
            case "curve" -> curve();
            default ->
                    throw DiskSimException.at(
                            mechanics.require("Seek type").place(),
                            "'Seek type' = "
                                    + type
                                    + ", allowed constant, linear, curve, hpl, hplplus10 or"
                                    + " extracted");
        };
    }

    private SeekCurve extracted() throws DiskSimException {
        ParamValue value = mechanics.require("Full seek curve");
        Path file =
                ParamParser.beside(
                        value.place().file(), mechanics.text("Full seek curve"), value.place());
        TreeMap<Integer, Long> times = new TreeMap<>();
        int lineNumber = 0;
        for (String line : Tokens.read(file).lines().toList()) {
            lineNumber++;
            if (!line.isBlank() && !isHeading(line)) {
                addPoint(line.trim(), new Place(file, lineNumber), times);
            }
        }
        if (times.isEmpty()) {
            throw DiskSimException.at(new Place(file, 1), "holds no seek times");
        }
        return SeekCurve.ofTable(
                times.keySet().stream().mapToInt(Integer::intValue).toArray(),
                times.values().stream().mapToLong(Long::longValue).toArray());
    }

    private static boolean isHeading(String line) {
        String start = line.trim().toLowerCase(Locale.ROOT);
        return start.startsWith("seek distances") || start.startsWith("#");
    }

    /**
     * {@code distance, ms} or {@code distance, ms, deviation}; no distance says nothing, and of one
     * given twice the first time holds.
     */
    private static void addPoint(String line, Place place, Map<Integer, Long> times)
            throws DiskSimException {
        String[] parts = line.split("[,\\s]+", -1);
        int distance;
        double ms;
        try {
            distance = (int) Double.parseDouble(parts[0]);
            ms = Double.parseDouble(parts[1]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notAPoint) {
            throw DiskSimException.at(
                    place, "expected 'distance, milliseconds', found '" + line + "'");
        }
        if (distance < 0 || !(ms >= 0 && ms <= Units.MAX_MS)) {
            throw DiskSimException.at(place, "'" + line + "' is not a distance and its time");
        }
        if (distance > 0) {
            times.putIfAbsent(distance, Units.ns(ms));
        }
    }

    private SeekCurve equation(long[] firstTimesNs) throws DiskSimException {
        double[] values = numbers(EQUATION, 6);
        var equation =
                new SeekCurve.Equation(
                        (int) values[0],
                        values[1] * 1e6,
                        values[2] * 1e6,
                        values[3] * 1e6,
                        values[4] * 1e6);
        return SeekCurve.ofEquation(equation, firstTimesNs, cylinders);
    }

    /** The sixth value is the time over one cylinder, or -1 where the equation holds there too. */
    private long[] equationOnce() throws DiskSimException {
        double one = numbers(EQUATION, 6)[5];
        return one < 0 ? new long[0] : new long[] {Units.ns(one)};
    }

    private long[] firstTen() throws DiskSimException {
        double[] times = numbers(FIRST_TEN, 10);
        long[] timesNs = new long[times.length];
        for (int i = 0; i < times.length; i++) {
            timesNs[i] = Units.ns(times[i]);
        }
        return timesNs;
    }

    private double[] numbers(String key, int count) throws DiskSimException {
        List<ParamValue> list = mechanics.list(key);
        if (list.size() < count) {
            throw DiskSimException.at(
                    mechanics.require(key).place(),
                    "'" + key + "' needs " + count + " numbers, found " + list.size());
        }
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = ParamBlock.number(key, list.get(i), -1, Units.MAX_MS);
        }
        return numbers;
    }

    private SeekCurve constant() throws DiskSimException {
        long timeNs = Units.requiredNs(mechanics, "Constant seek time");
        return SeekCurve.ofTable(new int[] {1}, new long[] {timeNs});
    }

    private SeekCurve linear() throws DiskSimException {
        int third = Math.max(2, cylinders / 3);
        return SeekCurve.ofTable(
                new int[] {1, third, Math.max(third + 1, cylinders - 1)},
                new long[] {
                    Units.requiredNs(mechanics, "Single cylinder seek time"),
                    Units.requiredNs(mechanics, "Average seek time"),
                    Units.requiredNs(mechanics, "Full strobe seek time")
                });
    }

    /** Lee's curve through the three figures: a * sqrt(d - 1) + b * (d - 1) + c. */
    private SeekCurve curve() throws DiskSimException {
        double one = (double) Units.requiredNs(mechanics, "Single cylinder seek time");
        double average = (double) Units.requiredNs(mechanics, "Average seek time");
        double full = (double) Units.requiredNs(mechanics, "Full strobe seek time");
        double root = (-10 * one + 15 * average - 5 * full) / (3 * Math.sqrt(cylinders));
        double line = (7 * one - 15 * average + 8 * full) / (3.0 * cylinders);
        int[] distances = new int[Math.max(1, cylinders - 1)];
        long[] times = new long[distances.length];
        for (int i = 0; i < distances.length; i++) {
            distances[i] = i + 1;
            times[i] = Math.max(0, Math.round(root * Math.sqrt(i) + line * i + one));
        }
        return SeekCurve.ofTable(distances, times);
    }
}
