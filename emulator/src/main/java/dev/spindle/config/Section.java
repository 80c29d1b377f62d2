package dev.spindle.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One object of the conf tree, read by keys of the table. Nothing here throws: a fault goes to the
 * {@link Reading} and a sample value takes its place, so that one pass finds them all.
 */
final class Section {
    private static final ConfigObject NOTHING = ConfigValueFactory.fromMap(Map.of());

    /** Sections whose sections have names that the user gives. */
    private static final Set<String> NAMED = Set.of("drives", "devices", "workloads", "hosts");

    /** At the beginning, where the value is, and as many at the end, where what is allowed is. */
    private static final int SHOWN_CHARACTERS = 150;

    /** A value and the place it was found at. */
    record Found<T>(T value, ConfigValue source) {}

    private final Reading reading;
    private final ConfigObject object;
    private final String pattern;
    private final String path;

    private Section(Reading reading, ConfigObject object, String pattern, String path) {
        this.reading = reading;
        this.object = object;
        this.pattern = pattern;
        this.path = path;
        var known = KeyNames.in(pattern);
        if (!known.isEmpty()) {
            refuseOthers(known);
        }
    }

    static Section root(ConfigObject object, Reading reading) {
        return new Section(reading, object, "", "");
    }

    private void refuseOthers(Set<String> known) {
        for (String name : names()) {
            if (!known.contains(name)) {
                problem(name, "unknown key, " + KeyNames.hint(name, pattern));
            }
        }
    }

    /** In alphabetical order, as the tree itself keeps none. */
    List<String> names() {
        return List.copyOf(new TreeSet<>(object.keySet()));
    }

    boolean has(String name) {
        return object.containsKey(name);
    }

    /** The value, or its default; where it is required and missing, a sample and a problem. */
    <T> T read(Key<T> key) {
        Optional<Found<T>> found = look(key);
        if (found.isPresent()) {
            return record(key, found.get());
        }
        if (key.defaultValue().isEmpty()) {
            problem(key.name(), "is missing, allowed " + key.type().allowed());
            return key.type().sample();
        }
        return recordDefault(key, key.defaultValue().get());
    }

    /** The value, if it is there. */
    <T> Optional<T> find(Key<T> key) {
        return look(key).map(found -> record(key, found));
    }

    /** The same with the key's own default. */
    <T> T readBehind(Key<T> key, Section behind) {
        return readBehind(key, behind, key.defaultValue().orElseThrow());
    }

    /** The value, or that of a section which stands behind this one, or the default. */
    <T> T readBehind(Key<T> key, Section behind, T defaultValue) {
        return look(key)
                .or(() -> behind.look(key))
                .map(found -> record(key, found))
                .orElseGet(() -> recordDefault(key, defaultValue));
    }

    <T> T recordDefault(Key<T> key, T value) {
        reading.record(full(key.name()), key.type().render(value), "default");
        return value;
    }

    private <T> T record(Key<T> key, Found<T> found) {
        String rendered = key.type().render(found.value);
        reading.record(full(key.name()), rendered, reading.location(found.source.origin()));
        return found.value;
    }

    /** Records text other than the key's own rendering: a path, resolved. */
    void record(Key<?> key, String rendered, ConfigValue source) {
        reading.record(full(key.name()), rendered, reading.location(source.origin()));
    }

    /** The value and its place, not recorded as a setting. */
    <T> Optional<Found<T>> look(Key<T> key) {
        ConfigValue value = object.get(key.name());
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Found<>(key.type().parse(scalar(value)), value));
        } catch (BadValueException bad) {
            problem(key.name(), cut(bad.getMessage()));
            return Optional.of(new Found<>(key.type().sample(), value));
        }
    }

    /**
     * As written, so that 0600 keeps its zero; a bare null is a word here, and a profile's name.
     */
    private static String scalar(ConfigValue value) throws BadValueException {
        return switch (value.valueType()) {
            case NULL -> "null";
            case OBJECT -> throw new BadValueException("is a section { ... }, not a value");
            case LIST -> throw new BadValueException("is a list [ ... ], not a value");
            case NUMBER, BOOLEAN, STRING -> value.atKey("v").getString("v");
        };
    }

    private static String cut(@Nullable String message) {
        String line = String.valueOf(message).replaceAll("\\p{Cntrl}+", " ");
        int end = line.length() - SHOWN_CHARACTERS;
        return end <= SHOWN_CHARACTERS
                ? line
                : line.substring(0, SHOWN_CHARACTERS) + " ... " + line.substring(end);
    }

    /** The section below, empty where it is not written. */
    Section child(String name) {
        String childPattern =
                NAMED.contains(pattern)
                        ? pattern + ".*"
                        : pattern.isEmpty() ? name : pattern + "." + name;
        ConfigValue value = object.get(name);
        if (value instanceof ConfigObject child) {
            return new Section(reading, child, childPattern, full(name));
        }
        if (value != null) {
            problem(name, "is not a section, write " + name + " { ... }");
        }
        return new Section(reading, NOTHING.withOrigin(object.origin()), childPattern, full(name));
    }

    /** A list's elements, each read by the same function and printed as one setting. */
    <T> List<T> elements(String name, Function<Section, Optional<T>> read) {
        List<T> results = new ArrayList<>();
        ConfigValue value = object.get(name);
        if (!(value instanceof ConfigList list) || list.isEmpty() || list.size() > Keys.MAX_LIST) {
            problem(
                    name,
                    (value == null ? "is missing" : "is not such a list")
                            + ", allowed [ { ... }, ... ] of 1 to "
                            + Keys.MAX_LIST);
            return results;
        }
        for (int i = 0; i < list.size(); i++) {
            String element = full(name) + "[" + i + "]";
            if (list.get(i) instanceof ConfigObject at) {
                int mark = reading.mark();
                Section section = new Section(reading, at, pattern + "." + name + "[]", element);
                read.apply(section).ifPresent(results::add);
                reading.foldSince(mark, element, reading.location(at.origin()));
            } else {
                reading.problem(reading.location(list.get(i).origin()), element, "is not { ... }");
            }
        }
        return results;
    }

    /** Where the name is written; the section as a whole where it is not. */
    ConfigValue place(String name) {
        ConfigValue value = object.get(name);
        return value == null ? place() : value;
    }

    /** An object put together from several places is where its first value in a file is. */
    private ConfigValue place() {
        if (object.origin().filename() != null) {
            return object;
        }
        return object.values().stream()
                .filter(value -> value.origin().filename() != null)
                .min(Comparator.comparingInt(value -> value.origin().lineNumber()))
                .orElse(object);
    }

    /** Reports what is wrong with the name's value. */
    void problem(String name, String text) {
        problemAt(place(name), name, text);
    }

    void problemAt(ConfigValue place, String name, String text) {
        reading.problem(reading.location(place.origin()), full(name), text);
    }

    /** Reports what is wrong with the section as a whole. */
    void problem(String text) {
        reading.problem(reading.location(place().origin()), path, text);
    }

    /** Those of the names that are written here do not belong. */
    void refuse(String reason, String... names) {
        Arrays.stream(names).filter(this::has).forEach(name -> problem(name, reason));
    }

    /**
     * Runs the function; empty where it came upon a fault, so that no record is made of samples.
     */
    <T> Optional<T> ifSound(int faultsBefore, Supplier<T> make) {
        return reading.faults() > faultsBefore ? Optional.empty() : Optional.of(make.get());
    }

    int faults() {
        return reading.faults();
    }

    private String full(String name) {
        String quoted = ConfigUtil.joinPath(name);
        return path.isEmpty() ? quoted : path + "." + quoted;
    }
}
