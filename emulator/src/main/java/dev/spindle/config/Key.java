package dev.spindle.config;

import java.util.Optional;

/**
 * One line of the table of keys.
 *
 * @param section where it stands; {@code *} is a name the user gives, {@code []} a list's element
 * @param defaultValue empty where the key is required or its default depends on others
 * @param defaultNote the default in words, empty where the key is required
 * @param sentence what it is for
 */
record Key<T>(
        String section,
        String name,
        ValueType<T> type,
        Optional<T> defaultValue,
        Optional<String> defaultNote,
        String sentence) {

    static <T> Key<T> of(String pattern, ValueType<T> type, T defaultValue, String sentence) {
        String note = type.render(defaultValue);
        return make(pattern, type, Optional.of(defaultValue), Optional.of(note), sentence);
    }

    static <T> Key<T> required(String pattern, ValueType<T> type, String sentence) {
        return make(pattern, type, Optional.empty(), Optional.empty(), sentence);
    }

    /** The reader of the section works the default out. */
    static <T> Key<T> derived(String pattern, ValueType<T> type, String note, String sentence) {
        return make(pattern, type, Optional.empty(), Optional.of(note), sentence);
    }

    private static <T> Key<T> make(
            String pattern,
            ValueType<T> type,
            Optional<T> defaultValue,
            Optional<String> note,
            String sentence) {
        int dot = pattern.lastIndexOf('.');
        String section = pattern.substring(0, dot);
        return new Key<>(section, pattern.substring(dot + 1), type, defaultValue, note, sentence);
    }
}
