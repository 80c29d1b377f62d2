package dev.spindle.disksim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A block {@code type name { key = value, ... }} of a parameter file. It remembers which keys were
 * asked for, so that those nobody knows can be reported.
 */
final class ParamBlock {
    private final String type;
    private final String name;
    private final Place place;
    private final Map<String, ParamValue> values = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();

    ParamBlock(String type, String name, Place place) {
        this.type = type;
        this.name = name;
        this.place = place;
    }

    /** A key given twice holds what was given last. */
    void put(String key, ParamValue value) {
        values.put(key, value);
    }

    String type() {
        return type;
    }

    String name() {
        return name;
    }

    Place place() {
        return place;
    }

    Optional<ParamValue> find(String key) {
        asked.add(key);
        return Optional.ofNullable(values.get(key));
    }

    boolean has(String key) {
        return find(key).isPresent();
    }

    ParamValue require(String key) throws DiskSimException {
        ParamValue value = find(key).orElse(null);
        if (value == null) {
            throw DiskSimException.at(place, this + " lacks '" + key + "'");
        }
        return value;
    }

    String text(String key) throws DiskSimException {
        if (require(key) instanceof ParamValue.Text(String text, Place _)) {
            return text;
        }
        throw DiskSimException.at(require(key).place(), "'" + key + "' is not a word or number");
    }

    ParamBlock block(String key) throws DiskSimException {
        if (require(key) instanceof ParamValue.Block(ParamBlock block, Place _)) {
            return block;
        }
        throw DiskSimException.at(require(key).place(), "'" + key + "' is not a block { ... }");
    }

    List<ParamValue> list(String key) throws DiskSimException {
        if (require(key) instanceof ParamValue.Listing(List<ParamValue> list, Place _)) {
            return list;
        }
        throw DiskSimException.at(require(key).place(), "'" + key + "' is not a list [ ... ]");
    }

    double number(String key, double least, double most) throws DiskSimException {
        return number(key, require(key), least, most);
    }

    double number(String key, double absent, double least, double most) throws DiskSimException {
        return has(key) ? number(key, least, most) : absent;
    }

    int whole(String key, int least, int most) throws DiskSimException {
        double number = number(key, least, most);
        if (number != Math.rint(number)) {
            throw DiskSimException.at(
                    require(key).place(),
                    "'" + key + "' = " + text(key) + " is not a whole number");
        }
        return (int) number;
    }

    int whole(String key, int absent, int least, int most) throws DiskSimException {
        return has(key) ? whole(key, least, most) : absent;
    }

    boolean flag(String key, boolean absent) throws DiskSimException {
        return whole(key, absent ? 1 : 0, -1, 1) == 1;
    }

    static double number(String key, ParamValue value, double least, double most)
            throws DiskSimException {
        if (!(value instanceof ParamValue.Text(String text, Place place))) {
            throw DiskSimException.at(value.place(), "'" + key + "' is not a number");
        }
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            throw DiskSimException.at(place, "'" + key + "' = " + text + " is not a number");
        }
        if (!(number >= least && number <= most)) {
            throw DiskSimException.at(
                    place,
                    "'%s' = %s is out of range, allowed %s to %s"
                            .formatted(key, text, plain(least), plain(most)));
        }
        return number;
    }

    private static String plain(double bound) {
        return bound == Math.rint(bound) && Math.abs(bound) < 1e15
                ? Long.toString((long) bound)
                : Double.toString(bound);
    }

    /** Keys nobody has asked for, here and below, each with its place. */
    List<String> unknown() {
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, ParamValue> entry : values.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                unknown.add(entry.getValue().place() + ": '" + entry.getKey() + "' is not used");
            }
            addUnknown(entry.getValue(), unknown);
        }
        return unknown;
    }

    private static void addUnknown(ParamValue value, List<String> unknown) {
        switch (value) {
            case ParamValue.Text _ -> {}
            case ParamValue.Block(ParamBlock block, Place _) -> {
                if (!block.asked.isEmpty()) {
                    unknown.addAll(block.unknown());
                }
            }
            case ParamValue.Listing(List<ParamValue> values, Place _) ->
                    values.forEach(each -> addUnknown(each, unknown));
        }
    }

    @Override
    public String toString() {
        return name.isEmpty() ? type : type + " " + name;
    }
}
